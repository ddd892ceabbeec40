package dev.millrace.cql.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.string.StringTable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Codes of a column of a batch, of all its rows or of some. */
@Timeout(60)
class CharColumnEncoderTest
{
    private static final EventType TYPE = EventType.tuple("Row", new EventProperty("name", CqlType.CHAR));
    private static final String LONG = "a name of more than eight bytes";
    private static final String[] NAMES = {"A", null, LONG, "Zürich", "B", "A", "not known"};

    private final StringTable strings = new StringTable(StringTable.Lifetime.HELD, 100);
    private final EventBatch batch = new EventBatch(new BatchSchema(TYPE));
    private final StringTable foreign = new StringTable(StringTable.Lifetime.HELD, 100);

    private enum Form
    {
        OBJECTS, BYTES, FOREIGN_CODES, OWN_CODES
    }

    private void fill(final Form form, final String... names)
    {
        batch.clear();
        final CharColumn texts = batch.texts(0);
        for (int row = 0; row < names.length; row++)
        {
            final byte[] bytes = names[row] == null ? new byte[0] : names[row].getBytes(StandardCharsets.UTF_8);
            switch (form)
            {
                case OBJECTS -> texts.set(row, names[row]);
                case BYTES -> texts.set(row, bytes, 0, bytes.length);
                case FOREIGN_CODES -> texts.setCode(row, foreign, foreign.code(names[row]));
                default -> texts.setCode(row, strings, strings.code(names[row]));
            }
        }
        batch.size(names.length);
    }

    @ParameterizedTest
    @EnumSource(value = Form.class, mode = EnumSource.Mode.EXCLUDE, names = "OWN_CODES")
    void shouldLookUpTheRowsOfASelectionAndNoOthers(final Form form)
    {
        final int a = strings.literal("A");
        final int name = strings.literal(LONG);
        final CharColumnEncoder column = new CharColumnEncoder(0, strings);
        fill(form, NAMES);
        column.bind(batch, new int[] {1, 2, 3, 5}, 4);
        final int[] known = column.known();
        assertThat(known[1]).isEqualTo(StringTable.NULL);
        assertThat(known[2]).isEqualTo(name);
        assertThat(known[3]).as("of a string without code").isNotIn(StringTable.NULL, a, name);
        assertThat(known[5]).isEqualTo(a);
        assertThat(new int[] {known[0], known[4], known[6]}).as("rows that nobody asks for").containsOnly(0);
        assertThat(strings.find("Zürich")).as("a look-up takes nothing in").isEqualTo(StringTable.NULL);
        assertThat(column.known()).isSameAs(known);
    }

    @ParameterizedTest
    @EnumSource(value = Form.class, mode = EnumSource.Mode.EXCLUDE, names = "OWN_CODES")
    void shouldGiveEqualCodesForEqualStringsAndOneForAllThatAreNotKnown(final Form form)
    {
        final int a = strings.literal("A");
        final CharColumnEncoder column = new CharColumnEncoder(0, strings);
        final int[] known = {0};
        // Often enough that strings are found by each kind of look-up of objects.
        for (int round = 0; round < 40; round++)
        {
            fill(form, NAMES);
            column.bind(batch);
            known[0] = column.known()[2];
            assertThat(Arrays.copyOf(column.known(), NAMES.length))
                .containsExactly(a, StringTable.NULL, known[0], known[0], known[0], a, known[0]);
            assertThat(known[0]).isNotIn(a, StringTable.NULL);
        }
        assertThat(strings.string(column.code(4))).isEqualTo("B");
        assertThat(column.code(new int[] {2, 6}, 2)).isTrue();
        assertThat(strings.string(column.codes()[2])).isEqualTo(LONG);
        assertThat(strings.string(column.codes()[6])).isEqualTo("not known");
        column.bind(batch);
        assertThat(column.known()[3]).as("still not taken in").isEqualTo(known[0]);
        assertThat(column.known()[4]).isEqualTo(strings.find("B"));
    }

    @Test
    void shouldShowCodesOfItsOwnTableAsTheyAre()
    {
        fill(Form.OWN_CODES, NAMES);
        final CharColumnEncoder column = new CharColumnEncoder(0, strings);
        column.bind(batch);
        assertThat(column.known()).isSameAs(batch.texts(0).codesOf(strings));
        assertThat(column.code(null, NAMES.length)).isTrue();
        assertThat(column.codes()).isSameAs(column.known());
    }

    @Test
    void shouldSayWhichStringsFindNoRoom()
    {
        final StringTable few = new StringTable(StringTable.Lifetime.HELD, 2);
        final CharColumnEncoder column = new CharColumnEncoder(0, few);
        for (final Form form : new Form[] {Form.OBJECTS, Form.BYTES})
        {
            fill(form, "A", "B", "A", null);
            column.bind(batch);
            assertThat(column.code(null, 4)).isFalse();
            assertThat(Arrays.copyOf(column.codes(), 4))
                .containsExactly(few.find("A"), StringTable.FULL, few.find("A"), StringTable.NULL);
        }
    }
}
