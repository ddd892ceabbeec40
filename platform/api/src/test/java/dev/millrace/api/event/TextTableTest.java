package dev.millrace.api.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where the table of texts has its limits, and that an entry is found wherever it lies. */
@Timeout(60)
class TextTableTest
{
    private static final int FEWEST_PLACES = 256;
    private static final int MOST_PROBES = 32;

    private static TextTable ofPlaces(final int places)
    {
        TextTable table = new TextTable();
        while (table.places() < places)
        {
            table = table.larger();
        }
        return table;
    }

    private static TextTable filled(final int places, final int entries)
    {
        final TextTable table = ofPlaces(places);
        int kept = 0;
        for (int i = 0; kept < entries; i++)
        {
            table.insert("key" + i, i + 1);
            kept += table.find("key" + i) == 0 ? 0 : 1;
        }
        return table;
    }

    /** Strings of one hash, and so of one place. */
    private static List<String> sameHash(final int count)
    {
        final List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            final StringBuilder text = new StringBuilder();
            for (int bit = 0; bit < 6; bit++)
            {
                text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            all.add(text.toString());
        }
        return all;
    }

    @Test
    void shouldBeCrowdedWhenAnEighthOfItsPlacesIsTaken()
    {
        assertThat(new TextTable().places()).isEqualTo(FEWEST_PLACES);
        assertThat(filled(FEWEST_PLACES, 31).isCrowded()).isFalse();
        assertThat(filled(FEWEST_PLACES, 32).isCrowded()).isTrue();
        assertThat(filled(1 << 15, 4_095).isCrowded()).isFalse();
        assertThat(filled(1 << 15, 4_096).isCrowded()).isTrue();
    }

    @Test
    void shouldBeCrowdedWhenAQuarterIsTakenAndItIsLarge()
    {
        assertThat(filled(1 << 16, 16_383).isCrowded()).isFalse();
        assertThat(filled(1 << 16, 16_384).isCrowded()).isTrue();
    }

    @Test
    void shouldKeepThirtyTwoStringsOfOnePlaceAndNoMore()
    {
        final List<String> same = sameHash(40);
        final TextTable table = new TextTable();
        for (int i = 0; i < same.size(); i++)
        {
            table.insert(same.get(i), i + 1);
        }
        for (int i = 0; i < same.size(); i++)
        {
            final int expected = i < MOST_PROBES ? i + 1 : 0;
            assertThat(table.find(same.get(i))).as("the object, %d", i).isEqualTo(expected);
            assertThat(table.find(new String(same.get(i)))).as("an equal one, %d", i).isEqualTo(expected);
        }
    }

    @Test
    void shouldGoOnAtTheFirstPlaceWhenTheLastOneIsTaken()
    {
        final List<String> last = new ArrayList<>();
        for (int i = 0; last.size() < 4; i++)
        {
            final String text = "s" + i;
            if (text.hashCode() * 0x9E3779B9 >>> 24 == FEWEST_PLACES - 1)
            {
                last.add(text);
            }
        }
        final TextTable table = new TextTable();
        for (int i = 0; i < 3; i++)
        {
            table.insert(last.get(i), i + 1);
        }
        for (int i = 0; i < 3; i++)
        {
            assertThat(table.find(last.get(i))).isEqualTo(i + 1);
            assertThat(table.find(new String(last.get(i)))).isEqualTo(i + 1);
        }
        assertThat(table.find(last.get(3))).isZero();
    }

    @Test
    void shouldMoveAThousandPlacesOrA256thAtATime()
    {
        final TextTable small = filled(FEWEST_PLACES, 30);
        final TextTable larger = small.larger();
        assertThat(larger.places()).isEqualTo(2 * FEWEST_PLACES);
        assertThat(small.moveSlice(0, larger)).isEqualTo(FEWEST_PLACES);
        for (int i = 0; i < 30; i++)
        {
            assertThat(larger.find("key" + i)).isEqualTo(i + 1);
        }
        assertThat(ofPlaces(2_048).moveSlice(0, new TextTable())).isEqualTo(1_024);
        assertThat(ofPlaces(2_048).moveSlice(1_024, new TextTable())).isEqualTo(2_048);
        assertThat(ofPlaces(1 << 19).moveSlice(0, new TextTable())).isEqualTo(2_048);
        assertThat(ofPlaces(1 << 19).moveSlice(100, new TextTable())).isEqualTo(2_148);
    }

    @Test
    void shouldMoveOnlyWhatLiesInTheSlice()
    {
        final TextTable from = ofPlaces(2_048);
        final List<String> texts = new ArrayList<>();
        for (int i = 0; i < 100; i++)
        {
            texts.add("text" + i);
            from.insert(texts.get(i), i + 1);
        }
        final TextTable to = from.larger();
        from.moveSlice(1_024, to);
        for (int i = 0; i < 100; i++)
        {
            final int place = texts.get(i).hashCode() * 0x9E3779B9 >>> 21;
            // A text may lie some places behind its own; those at the border are not asked for.
            if (place < 1_000 || place >= 1_024)
            {
                assertThat(to.find(texts.get(i))).isEqualTo(place < 1_024 ? 0 : i + 1);
            }
        }
    }

    @Test
    void shouldLeaveTheEntryThatIsThereWhenAnOlderOneIsMoved()
    {
        final TextTable from = new TextTable();
        from.insert("a", 1);
        from.insert("b", 2);
        final TextTable to = from.larger();
        to.insert("a", 7);
        from.moveSlice(0, to);
        assertThat(to.find("a")).isEqualTo(7);
        assertThat(to.find("b")).isEqualTo(2);
    }

    @Test
    void shouldFindSeveralAtOnceAndSayWhetherAllWereThere()
    {
        final TextTable table = new TextTable();
        table.insert("a", 1);
        table.insert("b", 2);
        table.insert("c", 3);
        final int[] found = {9, 9, 9, 9};
        final String[] strings = {"x", "c", "a", "b", "y"};
        assertThat(table.find(strings, 1, 3, found)).isTrue();
        assertThat(found).containsExactly(3, 1, 2, 9);
        assertThat(table.find(strings, 1, 4, found)).isFalse();
        assertThat(found).containsExactly(3, 1, 2, 0);
        assertThat(table.find(new String[]{"a", null, "b"}, 0, 3, found)).isFalse();
        assertThat(found).containsExactly(1, 0, 2, 0);
        assertThat(table.find(strings, 0, 0, found)).isTrue();
    }

    @Test
    void shouldFindSeveralAtOnceWhenFirstMiddleAndLastAreOneObject()
    {
        final TextTable table = new TextTable();
        table.insert("a", 1);
        table.insert("b", 2);
        final int[] found = new int[5];
        assertThat(table.find(new String[]{"x", "a", "b", "a", "a", "a"}, 1, 5, found)).isTrue();
        assertThat(found).containsExactly(1, 2, 1, 1, 1);
        assertThat(table.find(new String[]{"a", null, "a", "x", "a"}, 0, 5, found)).isFalse();
        assertThat(found).containsExactly(1, 0, 1, 0, 1);
        assertThat(table.find(new String[]{null, null, null}, 0, 3, found)).isFalse();
        assertThat(found).containsExactly(0, 0, 0, 0, 1);
    }
}
