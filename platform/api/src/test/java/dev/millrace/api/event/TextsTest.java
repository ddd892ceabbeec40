package dev.millrace.api.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.text.Codes;
import dev.millrace.api.text.TextBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TextsTest
{
    private static final EventType TYPE =
        EventType.tuple("Tick", new EventProperty("price", CqlType.DOUBLE), new EventProperty("name", CqlType.CHAR));

    private final Dictionary dictionary = new Dictionary("Tick.name", 3);
    private final EventBatch batch = new EventBatch(BatchSchema.sharing(TYPE, dictionary));
    private final Texts names = batch.texts(1);

    private static String copied(final Texts texts, final int row)
    {
        final byte[] bytes = new byte[64];
        Arrays.fill(bytes, (byte)'.');
        assertThat(texts.copy(row, bytes, 2)).isEqualTo(texts.length(row));
        return new String(bytes, 0, 2 + texts.length(row) + 1, StandardCharsets.UTF_8);
    }

    @Test
    void shouldBeOfCharColumnsOnly()
    {
        assertThat(batch.texts(0)).isNull();
        assertThat(batch.texts(1)).isSameAs(names);
        assertThat(names.codes()).isSameAs(batch.ints(1));
    }

    @Test
    void shouldGoThroughARingAsIdsOfItsDictionaryAndByValueElsewhere()
    {
        final int known = dictionary.idOf("ORCL");
        names.codes()[0] = known;
        names.codes()[1] = Dictionary.NULL_ID;
        final TextRing ring = new TextRing(4);
        ring.put(names, null, 0, 2, 0);
        final Texts same = new EventBatch(BatchSchema.sharing(TYPE, dictionary)).texts(1);
        ring.take(0, 2, same, 0);
        assertThat(same.codesIfWritten()).isNotNull();
        assertThat(same.codesIfWritten()[0]).isEqualTo(known);
        assertThat(same.string(1)).isNull();
        final Texts other = new EventBatch(BatchSchema.sharing(TYPE, new Dictionary("other", 3))).texts(1);
        ring.take(0, 2, other, 0);
        assertThat(other.codesIfWritten()).isNull();
        assertThat(other.string(0)).isEqualTo("ORCL");
        assertThat(other.isNull(1)).isTrue();
        assertThat(other.dictionary().size()).isZero();
    }

    @Test
    void shouldTakeNoTextIntoTheDictionaryThatFollowsIds()
    {
        final int known = dictionary.idOf("ORCL");
        final Codes codes = new Codes(Codes.Lifetime.HELD, 10);
        assertThat(names.setId(0, known, dictionary)).isTrue();
        assertThat(names.set(1, codes, codes.code("SUN"))).isTrue();
        assertThat(names.setId(2, known, dictionary)).as("held by value now").isFalse();
        assertThat(names.string(0)).isEqualTo("ORCL");
        assertThat(names.string(1)).isEqualTo("SUN");
        assertThat(dictionary.find("SUN")).isEqualTo(Dictionary.NULL_ID);
    }

    @Test
    void shouldGiveBackWhatWasWritten()
    {
        assertThat(names.set(0, "ORCL")).isTrue();
        assertThat(names.set(1, "Zürich, Hauptbahnhof")).isTrue();
        assertThat(names.set(2, null)).isTrue();
        assertThat(names.set(3, "")).isTrue();
        assertThat(names.set(255, "ORCL")).isTrue();
        assertThat(names.string(0)).isEqualTo("ORCL");
        assertThat(names.string(1)).isEqualTo("Zürich, Hauptbahnhof");
        assertThat(names.string(2)).isNull();
        assertThat(names.string(3)).isNull();
        assertThat(copied(names, 0)).isEqualTo("..ORCL.");
        assertThat(copied(names, 1)).isEqualTo("..Zürich, Hauptbahnhof.");
        assertThat(copied(names, 3)).isEqualTo("...");
        assertThat(names.length(1)).isEqualTo(21);
        assertThat(names.isNull(0)).isFalse();
        assertThat(names.isNull(2)).isTrue();
        assertThat(names.isNull(3)).isTrue();
        assertThat(names.codes()[255]).isEqualTo(names.codes()[0]).isNotEqualTo(names.codes()[1]);
        assertThat(names.codes()[3]).isEqualTo(Dictionary.NULL_ID);
        assertThat(batch.value(1, 255)).isEqualTo("ORCL");
    }

    @Test
    void shouldSayWhenThereIsNoRoomForAnotherCode()
    {
        assertThat(names.set(0, "a") && names.set(1, "b") && names.set(2, "c") && names.set(3, "d")).isTrue();
        assertThatThrownBy(names::codes).isInstanceOf(IllegalStateException.class).hasMessageContaining("Tick.name");
        batch.clear();
        assertThat(names.set(0, "a") && names.set(1, "b") && names.set(2, "c")).isTrue();
        assertThat(names.set(3, "d")).as("codes were asked for last time").isFalse();
        assertThat(names.set(3, "b")).isTrue();
        assertThat(names.set(4, bytes("d"), 0, 1)).isFalse();
    }

    @Test
    void shouldCodeTextsOnlyWhenItIsAsked()
    {
        names.set(0, "ORCL");
        names.set(1, "a text of more than eight bytes");
        names.set(2, null);
        assertThat(dictionary.size()).isZero();
        dictionary.idOf("AAPL");
        final int oracle = dictionary.idOf("ORCL");
        assertThat(names.known()).startsWith(oracle, Texts.UNKNOWN, Dictionary.NULL_ID);
        assertThat(dictionary.size()).isEqualTo(2);
        assertThat(names.codes()).startsWith(oracle, 3, Dictionary.NULL_ID);
        assertThat(dictionary.string(3)).isEqualTo("a text of more than eight bytes");
        names.set(1, "AAPL");
        assertThat(names.codes()).as("a row that is written again").startsWith(oracle, 1, Dictionary.NULL_ID);
    }

    @Test
    void shouldCodeLongTextsWhileTheyAreWrittenOnceItWasAsked()
    {
        final byte[] text = bytes("a text of more than eight bytes");
        assertThat(names.codesToWrite()).isNull();
        names.set(0, text, 0, text.length);
        names.codes();
        batch.clear();
        assertThat(names.codesToWrite()).isNotNull();
        names.set(0, "AAPL");
        assertThat(dictionary.size()).isEqualTo(2);
        batch.clear();
        assertThat(names.codesToWrite()).as("nobody read a batch without rows").isNotNull();
        names.set(0, "MSFT");
        batch.size(1);
        batch.clear();
        batch.clear();
        assertThat(names.codesToWrite()).as("not asked for codes").isNull();
    }

    @Test
    void shouldCodeShortTextsAllAtOnceAlsoWhenItWasAsked()
    {
        final Dictionary many = new Dictionary("many");
        final Texts column = new Texts(many);
        for (int time = 0; time < 2; time++)
        {
            for (int first = 0; first < 20_000; first += 100)
            {
                assertThat(column.codesToWrite()).isNull();
                for (int row = 0; row < 100; row++)
                {
                    final byte[] text = bytes("S" + (first + row));
                    column.heads()[row] = TextBytes.head(text, 0, text.length);
                    column.lengths()[row] = text.length;
                }
                column.wroteHeads(100);
                column.setNull(50);
                column.set(60, first == 3_000 ? "a text of more than eight bytes" : "B");
                final int[] ids = column.codes();
                for (int row = 0; row < 100; row++)
                {
                    assertThat(many.string(ids[row])).isEqualTo(row == 50 ? null :
                        row != 60 ? "S" + (first + row) : first == 3_000 ? "a text of more than eight bytes" : "B");
                }
                column.clear(true);
                if (first == 3_000)
                {
                    // Not asked for once: then it is not coded while it is written.
                    column.set(0, "x");
                    column.clear(true);
                }
            }
        }
        assertThat(many.size()).isEqualTo(20_000 - 400 + 3);
    }

    /** Texts as bytes, objects and ids, each with a null and with texts that are short, long and not of ASCII. */
    private List<Texts> inAllForms(final List<String> texts)
    {
        final Texts asBytes = new Texts(new Dictionary("bytes"));
        final Texts objects = new Texts(new Dictionary("objects"));
        final Texts ids = new Texts(new Dictionary("ids"));
        ids.codes();
        for (int row = 0; row < texts.size(); row++)
        {
            final byte[] text = texts.get(row) == null ? new byte[0] : bytes(texts.get(row));
            asBytes.set(row, text, 0, text.length);
            objects.set(row, texts.get(row));
            ids.set(row, texts.get(row));
        }
        assertThat(List.of(asBytes.isCoded(), objects.isCoded(), ids.isCoded())).containsExactly(false, false, true);
        return List.of(asBytes, objects, ids);
    }

    private static final List<String> MIXED =
        Arrays.asList("ORCL", null, "a text of more than eight bytes", "Zürich", "x".repeat(100), "12345678", "ü");

    @Test
    void shouldGiveCodesOfATableOfTheReader()
    {
        final Codes table = new Codes(Codes.Lifetime.HELD, 1 << 10);
        for (final Texts texts : inAllForms(MIXED))
        {
            assertThat(texts.find(1, table)).isEqualTo(Codes.NULL);
            assertThat(texts.find(5, new Codes(Codes.Lifetime.HELD, 1))).isEqualTo(Codes.NULL);
            for (int row = 0; row < MIXED.size(); row++)
            {
                assertThat(table.string(texts.code(row, table))).isEqualTo(MIXED.get(row));
                assertThat(List.of(texts.code(row, table), texts.find(row, table)))
                    .containsOnly(table.find(MIXED.get(row)));
            }
        }
        assertThat(table.size()).isEqualTo(MIXED.size() - 1);
    }

    @Test
    void shouldWriteTextsOfATableInAllForms()
    {
        final Codes table = new Codes(Codes.Lifetime.HELD, 1 << 10);
        for (final Texts texts : inAllForms(List.of("first")))
        {
            for (int row = 0; row < MIXED.size(); row++)
            {
                assertThat(texts.set(row + 1, table, table.code(MIXED.get(row)))).isTrue();
            }
            for (int row = 0; row < MIXED.size(); row++)
            {
                assertThat(texts.string(row + 1)).isEqualTo(MIXED.get(row));
            }
        }
        assertThat(names.set(0, table, table.code("ORCL"))).isTrue();
        assertThat(names.string(0)).isEqualTo("ORCL");
        assertThat(dictionary.size()).isZero();
    }

    @Test
    void shouldMakeOneStringOfTextsThatComeAgain()
    {
        final byte[] text = bytes("a text of more than eight bytes");
        names.set(0, text, 0, text.length);
        names.set(1, text, 0, text.length);
        names.set(2, bytes("Zürich"), 0, 7);
        assertThat(names.string(0)).isEqualTo("a text of more than eight bytes").isSameAs(names.string(1));
        assertThat(names.string(2)).isEqualTo("Zürich").isEqualTo(names.string(2));
    }

    @Test
    void shouldHashEqualTextsAlikeHoweverTheyAreHeld()
    {
        final List<String> texts = Arrays.asList("ORCL", null, "a text of more than eight bytes", "a\0", "Zürich");
        final Texts coded = new Texts(new Dictionary("other"));
        coded.codes();
        final Texts held = new Texts(dictionary);
        for (int row = 0; row < texts.size(); row++)
        {
            names.set(row, texts.get(row));
            coded.set(row, texts.get(row));
            final byte[] utf8 = texts.get(row) == null ? new byte[0] : bytes(texts.get(row));
            held.set(row, utf8, 0, utf8.length);
        }
        final long[] first = hashes(names, 5);
        final long[] second = hashes(coded, 5);
        final long[] third = hashes(held, 5);
        assertThat(first).isEqualTo(second).isEqualTo(third).doesNotHaveDuplicates();
        assertThat(first[1]).isZero();
        assertThat(first[0]).isEqualTo(TextBytes.hash(bytes("ORCL"), 0, 4));
    }

    @Test
    void shouldFindIdsThatTextsGetAfterTheFirstLookUp()
    {
        names.set(0, bytes("ORCL"), 0, 4);
        names.set(1, bytes("a text of more than eight bytes"), 0, 31);
        assertThat(names.found()).startsWith(0, 0);
        final int id = dictionary.idOf("a text of more than eight bytes");
        assertThat(names.found()).startsWith(0, id);
        assertThat(dictionary.size()).isEqualTo(1);
        assertThat(names.codes()).startsWith(id + 1, id);
        assertThat(names.found()).startsWith(id + 1, id);
    }

    private static long[] hashes(final Texts texts, final int count)
    {
        return IntStream.range(0, count).mapToLong(texts::hash).toArray();
    }

    private static byte[] bytes(final String text)
    {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void shouldBeSharedByViews()
    {
        final EventType other =
            EventType.tuple("Name", new EventProperty("key", CqlType.CHAR), new EventProperty("none", CqlType.CHAR));
        final EventBatch view =
            EventBatch.view(batch, BatchSchema.sharing(other, dictionary), new int[]{1, -1});
        names.set(7, "ORCL");
        assertThat(view.texts(0).string(7)).isEqualTo("ORCL");
        assertThat(view.texts(1).string(7)).isNull();
    }
}
