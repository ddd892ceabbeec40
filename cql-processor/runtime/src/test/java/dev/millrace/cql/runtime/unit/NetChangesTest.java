package dev.millrace.cql.runtime.unit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryHolder;
import dev.millrace.api.string.StringTable;
import dev.millrace.api.time.ManualClock;
import dev.millrace.cql.runtime.unit.string.CharColumnInput;
import dev.millrace.cql.runtime.unit.string.DecodedStrings;
import dev.millrace.cql.runtime.unit.string.UnitStrings;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that remain after netting, compared with sums by value. The seed is fixed. */
@Timeout(60)
class NetChangesTest
{
    private static final int INSTANTS = 3_000;
    private static final int VALUES = 6;

    private final NetChanges rows = new NetChanges(2, CodeColumns.NONE, MemoryAccount.NONE);
    private final int[] sums = new int[VALUES * VALUES];

    private static CodeColumns texts(final int word, final StringTable codes)
    {
        return new CodeColumns(new int[] {word}, new UnitStrings(codes, new DecodedStrings(codes, MemoryAccount.NONE)),
            new int[0], null);
    }

    private void add(final int value, final boolean enters)
    {
        final int at = rows.add(enters);
        rows.words[at] = value / VALUES;
        rows.words[at + 1] = value % VALUES;
        sums[value] += enters ? 1 : -1;
    }

    private void takeOff(final boolean enters)
    {
        for (int row = rows.next(-1, enters); row >= 0; row = rows.next(row, enters))
        {
            final int value = (int)(rows.words[row * 2] * VALUES + rows.words[row * 2 + 1]);
            assertThat(sums[value] > 0).as("rows of value %d enter", value).isEqualTo(enters);
            sums[value] -= enters ? 1 : -1;
        }
    }

    @Test
    void shouldHoldTextsOfAnInstantThatOutlivesABatch()
    {
        final StringTable codes = StringTable.withDelayedReuse(StringTable.Lifetime.HELD, 1 << 10, 1 << 10);
        final NetChanges texts = new NetChanges(2, texts(1, codes), MemoryAccount.NONE);
        for (final String text : List.of("a", "b"))
        {
            final int at = texts.add(true);
            texts.words[at] = 77;
            texts.words[at + 1] = codes.code(text);
            texts.endOfBatch();
            codes.endOfBatch();
        }
        assertThat(List.of(codes.string((int)texts.words[1]), codes.string((int)texts.words[3])))
            .containsExactly("a", "b");
        texts.clear();
        codes.endOfBatch();
        assertThat(codes.size()).isZero();
    }

    @Test
    void shouldForgetRowsThatCancelWhileOthersWait()
    {
        final StringTable codes = StringTable.withDelayedReuse(StringTable.Lifetime.HELD, 1 << 14, 1 << 14);
        final NetChanges waiting = new NetChanges(1, texts(0, codes), MemoryAccount.NONE);
        for (int i = 0; i < 10_000; i++)
        {
            for (final boolean enters : i < 100 ? new boolean[] {true} : new boolean[] {true, false})
            {
                final int at = waiting.add(enters);
                waiting.words[at] = codes.code("text " + i);
            }
            waiting.endOfBatch();
            codes.endOfBatch();
            waiting.shrink();
        }
        assertThat(waiting.size()).isBetween(100, 1_100);
        waiting.net();
        int row = -1;
        for (int i = 0; i < 100; i++)
        {
            row = waiting.next(row, true);
            assertThat(codes.string((int)waiting.words[row])).isEqualTo("text " + i);
        }
        assertThat(waiting.next(row, true)).isEqualTo(-1);
        waiting.clear();
        codes.endOfBatch();
        assertThat(codes.size()).isZero();
    }

    @Test
    void shouldKeepWhatEqualRowsDoNotCancel()
    {
        final Random random = new Random(99);
        for (int instant = 0; instant < INSTANTS; instant++)
        {
            final int count = random.nextInt(instant % 10 == 0 ? 200 : 12);
            final int enters = random.nextInt(4);
            for (int i = 0; i < count; i++)
            {
                add(random.nextInt(sums.length), random.nextInt(4) >= enters);
            }
            rows.net();
            takeOff(false);
            takeOff(true);
            assertThat(sums).as("instant %d", instant).containsOnly(0);
            rows.clear();
        }
    }

    /** Equal texts that are carried have different codes; rows differ in more than their texts, or only in those. */
    @ParameterizedTest
    @ValueSource(ints = {1, 1_000})
    void shouldCancelRowsWhoseCarriedTextsAreEqual(final int numbers)
    {
        final long seed = Long.getLong("seed", 5);
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        final StringTable codes = StringTable.withDelayedReuse(StringTable.Lifetime.HELD, 1 << 16, 1 << 10);
        final NetChanges net = new NetChanges(2, texts(1, codes).carrying(1), MemoryAccount.NONE);
        for (int instant = 0; instant < 200; instant++)
        {
            final Map<String, Integer> left = new HashMap<>();
            for (int i = random.nextInt(400); i > 0; i--)
            {
                final boolean enters = random.nextBoolean();
                final int number = random.nextInt(numbers);
                final String text = "a carried text " + random.nextInt(100);
                final int at = net.add(enters);
                net.words[at] = number;
                final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                net.words[at + 1] = random.nextBoolean() ? codes.apart(text, text.length()) :
                    codes.apart(bytes, 0, bytes.length);
                left.merge(number + text, enters ? 1 : -1, Integer::sum);
                if (random.nextInt(50) == 0)
                {
                    net.endOfBatch();
                    codes.endOfBatch();
                }
            }
            net.net();
            int rowsLeft = left.values().stream().mapToInt(Math::abs).sum();
            for (final boolean enters : new boolean[] {true, false})
            {
                for (int row = net.next(-1, enters); row >= 0; row = net.next(row, enters))
                {
                    left.merge(net.words[row * 2] + codes.string((int)net.words[row * 2 + 1]), enters ? -1 : 1,
                        Integer::sum);
                    rowsLeft--;
                }
            }
            assertThat(rowsLeft).as("rows of instant %d that should have cancelled", instant).isZero();
            assertThat(left.values()).as("instant %d", instant).allMatch(count -> count == 0);
            net.clear();
            codes.endOfBatch();
        }
    }

    /** Each text comes as an object, or those of rows that enter as bytes. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCancelEqualTextsHoweverTheyCome(final boolean isMixed)
    {
        final StringTable codes = new StringTable(StringTable.Lifetime.HELD, 1 << 10);
        final UnitStrings texts = new UnitStrings(codes, new DecodedStrings(codes, MemoryAccount.NONE));
        final EventBatch batch =
            new EventBatch(new BatchSchema(EventType.tuple("T", new EventProperty("c", CqlType.CHAR))));
        final CharColumnInput input = new CharColumnInput(texts, 0);
        final NetChanges net = new NetChanges(2, new CodeColumns(new int[] {1}, texts, new int[0], null),
            MemoryAccount.NONE);
        for (int i = 0; i < 100; i++)
        {
            final int text = i % 25;
            batch.clear();
            batch.size(1);
            if (text > 0 && isMixed && i < 75)
            {
                final byte[] bytes = ("text " + text).getBytes(StandardCharsets.UTF_8);
                batch.texts(0).set(0, bytes, 0, bytes.length);
            }
            else
            {
                batch.texts(0).set(0, text == 0 ? null : "text " + text);
            }
            input.bind(batch);
            final int at = net.add(i >= 75);
            net.words[at] = 7;
            net.words[at + 1] = input.code(0);
        }
        net.net();
        assertThat(net.next(-1, true)).as("rows that enter").isNegative();
        int left = 0;
        for (int row = net.next(-1, false); row >= 0; row = net.next(row, false))
        {
            left++;
        }
        assertThat(left).isEqualTo(50);
    }

    @Test
    void shouldTakeMemoryForRowsThatWaitAndGiveItBackWhileItIsShort()
    {
        final MemoryBudget budget = new MemoryBudget(1 << 22, new ManualClock(0));
        final MemoryAccount other = budget.open(new MemoryHolder("app", "proc", "other", "state"));
        final MemoryAccount memory = budget.open(new MemoryHolder("app", "proc", "q", "state"));
        final NetChanges waiting = new NetChanges(4, CodeColumns.NONE, memory);
        for (int i = 0; i < 10_000; i++)
        {
            assertThat(waiting.hasRoom()).isTrue();
            waiting.add(true);
        }
        assertThat(memory.bytes()).as("bytes").isBetween(10_000L * 41, 20_000L * 41);
        other.charge(budget.limitBytes() - budget.takenBytes());
        int more = 0;
        while (waiting.hasRoom())
        {
            waiting.add(true);
            more++;
        }
        assertThat(more).as("rows that fit").isLessThan(10_000);
        waiting.clear();
        assertThat(memory.bytes()).as("given back").isZero();
        other.release(other.bytes());
        assertThat(waiting.hasRoom()).isTrue();
    }
}
