package dev.millrace.cql.runtime.unit.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.Dictionary;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.text.Codes;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Strings that rows keep: by ids where they came as such, by codes else; equal ones are found to be. */
@Timeout(60)
class UnitTextsTest
{
    private static final EventType TYPE = EventType.tuple("T", new EventProperty("c", CqlType.CHAR));

    private final Codes codes = new Codes(Codes.Lifetime.HELD, 100);
    private final UnitTexts texts = new UnitTexts(codes, new CodeStrings(codes, MemoryAccount.NONE));
    private final Dictionary dictionary = new Dictionary("T.c", 100);
    private final EventBatch batch = new EventBatch(BatchSchema.sharing(TYPE, dictionary));
    /** Nobody asks for codes of it, so that writers write bytes. */
    private final EventBatch byValue = new EventBatch(BatchSchema.sharing(TYPE, dictionary));
    private final TextInput input = new TextInput(texts, 0);

    private int asId(final String string)
    {
        batch.clear();
        batch.ints(0)[0] = dictionary.idOf(string);
        return bound(batch);
    }

    private int asBytes(final String string)
    {
        byValue.clear();
        byValue.texts(0).set(0, string.getBytes(StandardCharsets.UTF_8), 0, string.length());
        return bound(byValue);
    }

    private int bound(final EventBatch of)
    {
        of.size(1);
        input.bind(of);
        return texts.hold(input.kept(0));
    }

    @Test
    void shouldKeepIdsWithoutCodesUntilThoseAreAskedFor()
    {
        final int kept = asId("Google");
        assertThat(kept).isNegative();
        assertThat(codes.size()).isZero();
        assertThat(texts.string(kept)).isEqualTo("Google");
        assertThat(codes.string(texts.code(kept))).isEqualTo("Google");
        assertThat(texts.code(kept)).isEqualTo(codes.find("Google"));
        texts.release(kept);
    }

    @Test
    void shouldFindEqualStringsHoweverTheyAreKept()
    {
        final int kept = asId("Google");
        final int byCode = asBytes("Google");
        final int other = asBytes("Apple");
        assertThat(byCode).isPositive();
        assertThat(texts.isSame(kept, byCode)).isTrue();
        assertThat(texts.isSame(byCode, kept)).isTrue();
        assertThat(texts.hash(kept)).isEqualTo(texts.hash(byCode));
        assertThat(texts.isSame(kept, other)).isFalse();
        assertThat(texts.isSame(byCode, other)).isFalse();
        assertThat(texts.isSame(kept, Codes.NULL)).isFalse();
        assertThat(texts.isSame(Codes.NULL, byCode)).isFalse();
        assertThat(texts.isSame(Codes.NULL, Codes.NULL)).isTrue();
        assertThat(texts.isSame(kept, asId("Apple"))).isFalse();
        assertThat(texts.isSame(kept, asId("Google"))).isTrue();
    }

    @Test
    void shouldGiveACodeBeyondTheBoundToARowThatIsThere()
    {
        for (int i = 0; i < 100; i++)
        {
            codes.hold(codes.code("k" + i));
        }
        assertThat(codes.code("one more")).isEqualTo(Codes.FULL);
        assertThat(codes.string(texts.code(asId("Google")))).isEqualTo("Google");
    }

    @Test
    void shouldHoldCodesWhileRowsKeepThem()
    {
        asId("a");
        final int kept = asBytes("held");
        codes.endOfBatch();
        assertThat(codes.string(kept)).isEqualTo("held");
        texts.release(kept);
        for (int i = 0; i < 60; i++)
        {
            codes.code("k" + i);
        }
        codes.endOfBatch();
        assertThat(codes.find("held")).isEqualTo(Codes.NULL);
    }
}
