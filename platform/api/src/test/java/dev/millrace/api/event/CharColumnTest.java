package dev.millrace.api.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.string.StringTable;
import dev.millrace.api.string.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CharColumnTest
{
    private static final EventType TYPE =
        EventType.tuple("Tick", new EventProperty("price", CqlType.DOUBLE), new EventProperty("name", CqlType.CHAR));

    private final EventBatch batch = new EventBatch(new BatchSchema(TYPE));
    private final CharColumn names = batch.texts(1);

    private static String copied(final CharColumn texts, final int row)
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
    }

    @Test
    void shouldShowNullsBeforeAnyTextWasWritten()
    {
        final StringTable table = new StringTable(StringTable.Lifetime.HELD, 10);
        final int[] codes = names.writeCodes(table);
        codes[0] = table.code("ORCL");
        assertThat(names.string(0)).isEqualTo("ORCL");
        names.clear();
        final int[] found = {7, 7};
        assertThat(names.isNull(0)).isTrue();
        assertThat(names.string(0)).isNull();
        assertThat(names.length(0)).isZero();
        assertThat(names.hash(0)).isZero();
        assertThat(names.code(0, table)).isEqualTo(StringTable.NULL);
        assertThat(names.codes(table, null, 2, found)).isTrue();
        assertThat(found).containsExactly(StringTable.NULL, StringTable.NULL);
        final CharColumn copy = new CharColumn();
        copy.set(0, "SUN");
        copy.copyRows(names, 0, 1, 1);
        copy.set(2, "IBM");
        assertThat(List.of(copy.string(0), copy.isNull(1), copy.string(2))).containsExactly("SUN", true, "IBM");
    }

    @Test
    void shouldTakeStringsThatAWriterFillsIn()
    {
        final String[] strings = names.writeStrings();
        strings[0] = "ORCL";
        strings[1] = null;
        names.wroteStrings(2);
        assertThat(names.string(0)).isSameAs(strings[0]);
        assertThat(names.isNull(1)).isTrue();
        names.writeBytes();
        assertThat(names.string(0)).as("stored as bytes now").isEqualTo("ORCL");
        assertThat(names.isNull(1)).isTrue();
    }

    @Test
    void shouldCarryObjectsWhoseLengthsWereReadInAdvance()
    {
        final StringTable table = new StringTable(StringTable.Lifetime.HELD, 10);
        final int[] lengths = {7, 7, 7};
        assertThat(names.lengths(3, lengths)).as("nothing written").isFalse();
        names.set(0, "ORCL");
        names.set(1, (String)null);
        names.set(2, "Oracle Corporation");
        assertThat(names.lengths(3, lengths)).isTrue();
        assertThat(lengths).containsExactly(4, 0, 18);
        final int[] codes = IntStream.range(0, 3).map(row -> names.apart(row, lengths[row], table)).toArray();
        assertThat(codes[0]).as("short").isEqualTo(table.code("ORCL"));
        assertThat(codes[1]).isEqualTo(StringTable.NULL);
        assertThat(table.object(codes[2])).isSameAs(names.string(2));
        assertThat(names.apart(2, lengths[2], table)).as("each is carried apart").isNotEqualTo(codes[2]);
        names.writeBytes();
        assertThat(names.lengths(3, lengths)).as("bytes").isFalse();
    }

    @Test
    void shouldWriteTextsWithCodesAmongObjectsAndAmongBytes()
    {
        final StringTable table = new StringTable(StringTable.Lifetime.HELD, 10);
        final String carried = "Zürich, Hauptbahnhof";
        final int apart = table.apart(carried, carried.length());
        final int ascii = table.apart("Oracle Corporation", 18);
        final int shared = table.code("ORCL");
        names.set(0, table, apart);
        names.set(1, table, shared);
        names.set(2, table, shared);
        assertThat(names.string(0)).isSameAs(carried);
        assertThat(names.string(1)).isEqualTo("ORCL").isSameAs(names.string(2));
        names.clear();
        names.set(0, table, shared);
        names.set(1, table, apart);
        names.set(2, table, ascii);
        assertThat(List.of(names.string(0), names.string(1), names.string(2)))
            .containsExactly("ORCL", carried, "Oracle Corporation");
    }

    @Test
    void shouldLendCodesToAReaderThatKnowsTheirTable()
    {
        final StringTable table = new StringTable(StringTable.Lifetime.HELD, 10);
        assertThat(names.writeCodes(table)).isSameAs(names.codes()).isSameAs(names.codesOf(table));
        names.clear();
        names.set(0, "ORCL");
        assertThatThrownBy(names::codes).isInstanceOf(IllegalStateException.class).hasMessageContaining("OBJECTS");
    }

    @Test
    void shouldGiveBackWhatWasWritten()
    {
        names.set(0, "ORCL");
        names.set(1, "Zürich, Hauptbahnhof");
        names.set(2, null);
        names.set(3, "");
        names.set(255, "ORCL");
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
        assertThat(batch.value(1, 255)).isEqualTo("ORCL");
    }

    /** Strings as bytes, objects and codes, including null, short, long and non-ASCII strings. */
    private List<CharColumn> inAllForms(final List<String> texts)
    {
        final CharColumn asBytes = new CharColumn();
        final CharColumn objects = new CharColumn();
        final CharColumn codes = new CharColumn();
        final StringTable table = new StringTable(StringTable.Lifetime.HELD, 1 << 10);
        for (int row = 0; row < texts.size(); row++)
        {
            final byte[] text = texts.get(row) == null ? new byte[0] : bytes(texts.get(row));
            asBytes.set(row, text, 0, text.length);
            objects.set(row, texts.get(row));
            codes.setCode(row, table, table.code(texts.get(row)));
        }
        assertThat(codes.codesOf(table)).isNotNull();
        return List.of(asBytes, objects, codes);
    }

    private static final List<String> MIXED =
        Arrays.asList("ORCL", null, "a text of more than eight bytes", "Zürich", "x".repeat(100), "12345678", "ü");

    @Test
    void shouldGiveCodesOfATableOfTheReader()
    {
        final StringTable table = new StringTable(StringTable.Lifetime.HELD, 1 << 10);
        for (final CharColumn texts : inAllForms(MIXED))
        {
            assertThat(texts.find(1, table)).isEqualTo(StringTable.NULL);
            assertThat(texts.find(5, new StringTable(StringTable.Lifetime.HELD, 1))).isEqualTo(StringTable.NULL);
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
    void shouldGiveCodesOfAllRowsHoweverTheyAreHeld()
    {
        final StringTable table = new StringTable(StringTable.Lifetime.HELD, 1 << 10);
        final int none = table.literal("none of these");
        final int[] codes = new int[EventBatch.CAPACITY];
        for (final List<String> texts : List.of(MIXED, Arrays.asList("A", null, "B", "12345678")))
        {
            for (final CharColumn column : inAllForms(texts))
            {
                column.find(table, texts.size(), none, codes);
                for (int row = 0; row < texts.size(); row++)
                {
                    final int known = table.find(texts.get(row));
                    assertThat(codes[row]).isEqualTo(texts.get(row) != null && known == StringTable.NULL ? none :
                        known);
                }
                assertThat(column.codes(table, new int[] {1, 3}, 2, codes)).isTrue();
                assertThat(table.string(codes[3])).isEqualTo(texts.get(3));
                assertThat(column.codes(table, null, texts.size(), codes)).isTrue();
                for (int row = 0; row < texts.size(); row++)
                {
                    assertThat(table.string(codes[row])).isEqualTo(texts.get(row));
                }
            }
        }
    }

    @Test
    void shouldSayWhichTextsTheTableOfTheReaderHasNoRoomFor()
    {
        final int[] codes = new int[EventBatch.CAPACITY];
        for (final CharColumn column : inAllForms(List.of("A", "B", "A", "C")))
        {
            final StringTable table = new StringTable(StringTable.Lifetime.HELD, 2);
            assertThat(column.codes(table, null, 4, codes)).isFalse();
            assertThat(codes).startsWith(1, 2, 1, StringTable.FULL);
        }
    }

    @Test
    void shouldBeCopiedByValueSinceCodesMayServeOtherTexts()
    {
        final StringTable table = new StringTable(StringTable.Lifetime.OWN, 10);
        final String text = "a text of more than eight bytes";
        final int code = table.code(text);
        names.setCode(0, table, code);
        names.setCode(1, table, StringTable.NULL);
        final CharColumn copy = new CharColumn();
        copy.copyRows(names, 0, 0, 2);
        final CharColumn shown = new CharColumn();
        shown.show(names, new int[] {1, 0}, 2);
        assertThat(shown.string(1)).isEqualTo(text);
        assertThat(shown.codesOf(table)).startsWith(StringTable.NULL, code);
        table.remove(code);
        table.code("another");
        assertThat(copy.string(0)).isEqualTo(text);
        assertThat(copy.isNull(1)).isTrue();
    }

    @Test
    void shouldWriteTextsOfATableInAllForms()
    {
        final StringTable table = new StringTable(StringTable.Lifetime.HELD, 1 << 10);
        for (final CharColumn texts : inAllForms(List.of("first")))
        {
            for (int row = 0; row < MIXED.size(); row++)
            {
                texts.set(row + 1, table, table.code(MIXED.get(row)));
            }
            for (int row = 0; row < MIXED.size(); row++)
            {
                assertThat(texts.string(row + 1)).isEqualTo(MIXED.get(row));
            }
        }
        names.set(0, table, table.code("ORCL"));
        assertThat(names.string(0)).isEqualTo("ORCL");
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
        final CharColumn coded = new CharColumn();
        final StringTable table = new StringTable(StringTable.Lifetime.HELD, 10);
        final CharColumn held = new CharColumn();
        for (int row = 0; row < texts.size(); row++)
        {
            names.set(row, texts.get(row));
            coded.setCode(row, table, table.code(texts.get(row)));
            final byte[] utf8 = texts.get(row) == null ? new byte[0] : bytes(texts.get(row));
            held.set(row, utf8, 0, utf8.length);
        }
        final long[] first = hashes(names, 5);
        final long[] second = hashes(coded, 5);
        final long[] third = hashes(held, 5);
        assertThat(first).isEqualTo(second).isEqualTo(third).doesNotHaveDuplicates();
        assertThat(first[1]).isZero();
        assertThat(first[0]).isEqualTo(Utf8.hash(bytes("ORCL"), 0, 4));
        for (int row = 0; row < texts.size(); row++)
        {
            final int stable = texts.get(row) == null ? 0 : texts.get(row).hashCode();
            assertThat(List.of(names.stableHash(row), coded.stableHash(row), held.stableHash(row)))
                .containsOnly(stable);
        }
    }

    private static long[] hashes(final CharColumn texts, final int count)
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
        final EventBatch view = EventBatch.view(batch, new BatchSchema(other), new int[]{1, -1});
        names.set(7, "ORCL");
        assertThat(view.texts(0).string(7)).isEqualTo("ORCL");
        assertThat(view.texts(1).string(7)).isNull();
    }
}
