package dev.millrace.cql.runtime.unit.string;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.runtime.row.RowRejectedException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Strings that rows store, whether they arrive as codes or as bytes; equal ones are recognized. */
@Timeout(60)
class UnitStringsTest
{
    private static final EventType TYPE = EventType.tuple("T", new EventProperty("c", CqlType.CHAR));

    private final StringTable codes = new StringTable(StringTable.Lifetime.HELD, 100);
    private final UnitStrings texts = new UnitStrings(codes, new DecodedStrings(codes, MemoryAccount.NONE));
    private final EventBatch batch = new EventBatch(new BatchSchema(TYPE));
    private final CharColumnInput input = new CharColumnInput(texts, 0);

    /** Stores a string in a row that arrives as an object or as bytes. */
    private int kept(final String string, final boolean asBytes)
    {
        batch.clear();
        if (asBytes)
        {
            final byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
            batch.texts(0).set(0, bytes, 0, bytes.length);
        }
        else
        {
            batch.texts(0).set(0, string);
        }
        batch.size(1);
        input.bind(batch);
        return texts.hold(input.code(0));
    }

    @Test
    void shouldKeepEqualStringsByOneCodeHoweverTheyCome()
    {
        final int google = kept("Google", true);
        assertThat(kept("Google", false)).isEqualTo(google);
        assertThat(kept("Apple", false)).isNotEqualTo(google);
        assertThat(texts.string(google)).isEqualTo("Google");
        assertThat(texts.string(StringTable.NULL)).isNull();
    }

    @Test
    void shouldRejectARowWithOneStringTooMany()
    {
        for (int i = 0; i < 100; i++)
        {
            codes.hold(codes.code("k" + i));
        }
        assertThatThrownBy(() -> kept("Google", true)).isInstanceOf(RowRejectedException.class)
            .hasMessageContaining("maxTexts=100");
    }

    @Test
    void shouldHoldCodesWhileRowsKeepThem()
    {
        final int first = kept("held", true);
        final int second = kept("held", false);
        texts.release(first);
        fillUp();
        assertThat(codes.string(second)).isEqualTo("held");
        texts.release(second);
        fillUp();
        assertThat(codes.find("held")).isEqualTo(StringTable.NULL);
    }

    /** From half of the maximum on, no unreferenced code is kept. */
    private void fillUp()
    {
        for (int i = 0; i < 60; i++)
        {
            codes.code("k" + i);
        }
        codes.endOfBatch();
    }
}
