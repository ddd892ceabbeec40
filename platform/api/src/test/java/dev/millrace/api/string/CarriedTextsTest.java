package dev.millrace.api.string;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable.Lifetime;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that state only carries, beside a list of strings. */
@Tag("slow")
@Timeout(120)
class CarriedTextsTest
{
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private static final int MANY = 1 << 20;

    private record Kept(String text, int code)
    {
    }

    private static CharColumn column()
    {
        return new EventBatch(new BatchSchema(EventType.tuple("T", new EventProperty("c", CqlType.CHAR)))).texts(0);
    }

    /** Null, short and long texts, some not of ASCII, some equal to many others. */
    private static String text(final Random random)
    {
        final int length = random.nextInt(8) == 0 ? 0 : random.nextInt(20) == 0 ? 5_000 : random.nextInt(120);
        final String text = random.nextInt(5) + (random.nextInt(6) == 0 ? "ä" : "-").repeat(length);
        return length == 0 ? null : text;
    }

    private static int kept(final StringTable codes, final String text, final int way)
    {
        final byte[] bytes = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        return way == 1 ? codes.apart(bytes, 0, bytes.length) :
            way == 0 && text != null ? codes.apart(text, text.length()) : codes.code(text);
    }

    private static void check(final StringTable codes, final Kept kept)
    {
        assertThat(codes.string(kept.code)).isEqualTo(kept.text);
        final byte[] bytes = kept.text == null ? new byte[0] : kept.text.getBytes(StandardCharsets.UTF_8);
        assertThat(codes.length(kept.code)).isEqualTo(bytes.length);
        final byte[] copy = new byte[bytes.length];
        assertThat(codes.copy(kept.code, copy, 0)).isEqualTo(bytes.length);
        assertThat(copy).isEqualTo(bytes);
    }

    private static void checkPair(final StringTable codes, final Kept one, final Kept other)
    {
        final boolean areEqual = Objects.equals(one.text, other.text);
        assertThat(codes.areEqual(one.code, other.code)).isEqualTo(areEqual);
        assertThat(codes.shared(one.code) == codes.shared(other.code)).isEqualTo(areEqual);
        if (areEqual)
        {
            assertThat(codes.hash(one.code)).isEqualTo(codes.hash(other.code));
        }
        if (one.text != null && other.text != null)
        {
            assertThat(Integer.signum(codes.compare(one.code, other.code)))
                .isEqualTo(Integer.signum(one.text.compareTo(other.text)));
        }
    }

    @ParameterizedTest
    @CsvSource({"1,0,true", "2,0,false", "3,500,true", "4,500,false"})
    void shouldKeepTextsWhileTheyAreHeldInWhateverOrderRowsLeave(
        final long seed, final int resting, final boolean isInOrder)
    {
        final long used = Long.getLong("seed", seed);
        System.out.println("seed=" + used);
        final Random random = new Random(used);
        final StringTable codes = StringTable.withDelayedReuse(Lifetime.HELD, MANY, resting);
        final List<Kept> rows = new ArrayList<>();
        for (int batch = 0; batch < 400; batch++)
        {
            final int most = batch < 200 ? 700 : 50;
            for (int i = 0; i < 100; i++)
            {
                final String text = text(random);
                final Kept kept = new Kept(text, kept(codes, text, random.nextInt(3)));
                codes.hold(kept.code);
                rows.add(kept);
            }
            while (rows.size() > most)
            {
                final Kept gone = rows.remove(isInOrder ? 0 : random.nextInt(rows.size()));
                codes.release(gone.code);
                check(codes, gone);
            }
            for (int i = 0; i < 20; i++)
            {
                checkPair(codes, rows.get(random.nextInt(rows.size())), rows.get(random.nextInt(rows.size())));
            }
            codes.endOfBatch();
            rows.forEach(kept -> check(codes, kept));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldGiveEqualTextsCodesOfTheirOwn(final boolean areObjects)
    {
        final StringTable codes = new StringTable(Lifetime.HELD, 1);
        final String text = "a text of more than twenty-four bytes";
        final int first = kept(codes, text, areObjects ? 0 : 1);
        final int second = kept(codes, text, areObjects ? 0 : 1);
        assertThat(first).isNotEqualTo(second);
        assertThat(codes.find(text)).as("not looked up").isEqualTo(StringTable.NULL);
        assertThat(codes.size()).as("the bound is one of different texts").isZero();
        assertThat(codes.object(first)).isSameAs(areObjects ? text : null);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldForgetATextThatNobodyHoldsAtTheEndOfTheBatch(final boolean areObjects)
    {
        final StringTable codes = StringTable.withDelayedReuse(Lifetime.HELD, MANY, 10);
        final int never = kept(codes, "never held, as its row was rejected", areObjects ? 0 : 1);
        final int once = kept(codes, "held and released within the batch", areObjects ? 0 : 1);
        codes.hold(once);
        codes.release(once);
        assertThat(codes.string(once)).as("good until the end of the batch").startsWith("held");
        codes.endOfBatch();
        assertThatThrownBy(() -> codes.string(never)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> codes.hold(once)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> codes.release(once)).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldHaveFlatMemoryAndAllocateNothingWhileTextsComeAndGo(final boolean areObjects)
    {
        final MemoryAccount account = MemoryAccount.unlimited();
        final StringTable codes = new StringTable(Lifetime.HELD, MANY, account);
        final CharColumn column = column();
        final String[] texts = new String[100];
        for (int i = 0; i < texts.length; i++)
        {
            texts[i] = "text " + "x".repeat(i) + i;
            final byte[] bytes = texts[i].getBytes(StandardCharsets.UTF_8);
            if (!areObjects)
            {
                column.set(i, bytes, 0, bytes.length);
            }
        }
        if (areObjects)
        {
            column.set(texts, 0, texts.length);
        }
        final int[] window = new int[10_000];
        long charged = 0;
        long allocated = 0;
        for (int row = 0; row < 1_000_000; row++)
        {
            if (row == 500_000)
            {
                charged = account.bytes();
                allocated = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            }
            final int place = row % window.length;
            codes.release(window[place]);
            window[place] = column.apart(row % texts.length, codes);
            codes.hold(window[place]);
            if (row % 256 == 0)
            {
                codes.endOfBatch();
            }
        }
        assertThat(THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - allocated).isLessThan(100_000);
        final long characters = 5L * window.length + window.length * 50L;
        assertThat(charged).as("the texts are charged").isGreaterThan(characters);
        assertThat(account.bytes()).isBetween(charged - 50_000, charged + 50_000);
        for (final int code : window)
        {
            codes.release(code);
        }
        codes.endOfBatch();
        if (areObjects)
        {
            assertThat(account.bytes()).as("given back").isLessThan(charged / 4);
        }
    }

    @Test
    void shouldGiveTheObjectOutThatCameIn()
    {
        final StringTable codes = new StringTable(Lifetime.HELD, MANY);
        final CharColumn in = column();
        final CharColumn out = column();
        final String text = "an object that is the same one behind the state";
        in.set(0, text);
        in.set(1, (String)null);
        out.set(0, codes, in.apart(0, codes));
        out.set(1, codes, in.apart(1, codes));
        assertThat(out.string(0)).isSameAs(text);
        assertThat(out.isNull(1)).isTrue();
    }

    @Test
    void shouldRefuseTextsApartWhereNobodyHolds()
    {
        final StringTable codes = new StringTable(Lifetime.OWN, MANY);
        assertThatThrownBy(() -> codes.apart("text", 4)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> codes.apart(new byte[9], 0, 9)).isInstanceOf(IllegalStateException.class);
    }
}
