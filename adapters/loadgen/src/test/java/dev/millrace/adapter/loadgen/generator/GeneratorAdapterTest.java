package dev.millrace.adapter.loadgen.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.time.Clock;
import dev.millrace.api.time.ManualClock;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Generated events of real adapters with their threads. The expected random values are those of SplitMix64, computed by
 * a separate program.
 */
@Timeout(60)
class GeneratorAdapterTest
{
    private static final EventType NUMBER = EventType.tuple("Number", new EventProperty("n", CqlType.BIGINT));
    private static final EventType TRADE = EventType.tuple("Trade", new EventProperty("id", CqlType.BIGINT),
        new EventProperty("symbol", CqlType.CHAR, 16), new EventProperty("size", CqlType.INT),
        new EventProperty("rate", CqlType.DOUBLE), new EventProperty("price", CqlType.DOUBLE),
        new EventProperty("level", CqlType.INT), new EventProperty("note", CqlType.CHAR, 16),
        new EventProperty("fee", CqlType.BIGDECIMAL), new EventProperty("account", CqlType.CHAR, 16),
        new EventProperty("flag", CqlType.BOOLEAN), new EventProperty("at", CqlType.TIMESTAMP),
        new EventProperty("raw", CqlType.BYTE));
    private static final String COLUMNS = """
        id = sequence(10, -2);
        symbol = choice(ORCL:3, 'a, ''b''', null : 2);
        size = uniform(-5, 5); rate = uniform(2.5, 7.5);
        price = walk(100, 3, 99, 102); level = walk(10, 3, 9, 12);
        note = text(2, 5); fee = uniform(1.00, 12.5); account = uniform(1, 40, A);
        at = sequence('2026-11-29T10:15:00Z', 1000);
        """;

    private static RunningGenerator generator(
        final EventType type, final Clock clock, final Consumer<GeneratorAdapter> properties)
    {
        return new RunningGenerator(type, clock, properties);
    }

    private static RunningGenerator all(final EventType type, final long seed, final int count, final String columns)
        throws InterruptedException
    {
        try (RunningGenerator made = generator(type, Clock.SYSTEM, each ->
        {
            each.setColumns(columns);
            each.setCount(count);
            each.setSeed(seed);
        }))
        {
            made.start().join();
            assertThat(made.adapter.statistics()).containsEntry("generated", (long)count)
                .containsEntry("finished", true).containsEntry("behindMillis", 0L);
            return made;
        }
    }

    @Test
    void shouldGenerateThePublishedNumbersOfSplitMix64()
    {
        final SplitMix64 random = new SplitMix64(1234567);
        assertThat(LongStream.generate(random::next).limit(5)).containsExactly(6457827717110365317L,
            3203168211198807973L, Long.parseUnsignedLong("9817491932198370423"), 4593380528125082431L,
            Long.parseUnsignedLong("16408922859458223821"));
    }

    @Test
    void shouldGenerateTheValuesOfASeed() throws Exception
    {
        final RunningGenerator made = all(TRADE, 7, 5, COLUMNS);
        assertThat(made.column(0)).containsExactly(10L, 8L, 6L, 4L, 2L);
        assertThat(made.column(1)).containsExactly("a, 'b'", "a, 'b'", "a, 'b'", "a, 'b'", "ORCL");
        assertThat(made.column(2)).containsExactly(1, -1, 1, -2, 0);
        assertThat(made.column(3)).containsExactly(6.434253245101113, 3.8642662574938065, 3.214876748614749,
            3.610123939044535, 6.804959711867101);
        assertThat(made.column(4)).containsExactly(100.0, 99.11308069683678, 101.43320825892533,
            100.89433667172351, 99.65631163476176);
        assertThat(made.column(5)).containsExactly(10, 11, 11, 9, 10);
        assertThat(made.column(6)).containsExactly("rzri", "hgg", "ved", "ahr", "icpki");
        assertThat(made.column(7)).containsExactly(new BigDecimal("7.01"), new BigDecimal("8.04"),
            new BigDecimal("8.52"), new BigDecimal("7.73"), new BigDecimal("9.94"));
        assertThat(made.column(8)).containsExactly("A17", "A28", "A30", "A18", "A31");
        // No function: by the type of the property.
        assertThat(made.column(9)).containsExactly(false, true, true, false, false);
        assertThat(made.column(10)).startsWith(1_795_947_300_000_000_000L, 1_795_947_300_000_001_000L);
        assertThat(made.column(11)).containsOnlyNulls();
    }

    @Test
    void shouldGenerateColumnsIndependentlyOfEachOther() throws Exception
    {
        final EventType symbols = EventType.tuple("Symbols", new EventProperty("other", CqlType.BIGINT),
            new EventProperty("symbol", CqlType.CHAR));
        final String columns = "symbol = choice(a:9, b)";
        final List<Object> values = all(symbols, 3, 10_000, columns).column(1);
        assertThat(values.stream().filter("a"::equals)).hasSize(9005);
        assertThat(all(symbols, 3, 10_000, columns + "; other = constant(4)").column(1)).isEqualTo(values);
        assertThat(all(symbols, 4, 10_000, columns).column(1)).isNotEqualTo(values);
    }

    @Test
    void shouldGenerateAllIntegersAndStayWithinBounds() throws Exception
    {
        assertThat(all(NUMBER, 1, 3, "n = uniform(-9223372036854775808, 9223372036854775807)").column(0))
            .containsExactly(-2100058839632544678L, -6470750558175017946L, 2514414335396291422L);
        assertThat(all(NUMBER, 1, 3, "n = sequence(9223372036854775806)").column(0))
            .containsExactly(Long.MAX_VALUE - 1, Long.MAX_VALUE, Long.MIN_VALUE);
        final EventType walks = EventType.tuple("Walks", new EventProperty("i", CqlType.INT),
            new EventProperty("d", CqlType.DOUBLE), new EventProperty("f", CqlType.FLOAT));
        final RunningGenerator made = all(walks, 5, 20_000,
            "i = walk(3, 4, 1, 5); d = walk(0.3, 0.05, 0.2, 0.3); f = uniform(-1, 1)");
        assertThat(made.column(0)).containsOnly(1, 2, 3, 4, 5);
        assertThat(made.column(1)).allMatch(each -> (Double)each >= 0.2 && (Double)each <= 0.3);
        assertThat(made.column(2)).allMatch(each -> (Float)each >= -1 && (Float)each <= 1);
    }

    @Test
    void shouldSendBurstsWhenTheyAreDue() throws Exception
    {
        final ManualClock clock = new ManualClock(1_000);
        try (RunningGenerator made = generator(NUMBER, clock, each ->
        {
            each.setColumns("n = sequence()");
            each.setRate(4);
            each.setBurst(2);
            each.setCount(7);
        }).start())
        {
            RunningGenerator.await(() -> made.rows().size() == 2);
            clock.advance(TimeUnit.MILLISECONDS.toNanos(500) - 1);
            assertThat(made.rows()).hasSize(2);
            clock.advance(1);
            RunningGenerator.await(() -> made.rows().size() == 4);
            clock.advance(TimeUnit.SECONDS.toNanos(5));
            made.join();
            assertThat(made.column(0)).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L);
            assertThat(made.originsNs()).containsExactly(1_000L, 1_000L, 500_001_000L, 500_001_000L, 1_000_001_000L,
                1_000_001_000L, 1_500_001_000L);
        }
    }

    @Test
    void shouldSendWhatBecameDueWhileTheChannelWasFull() throws Exception
    {
        final ManualClock clock = new ManualClock(0);
        try (RunningGenerator made = generator(NUMBER, clock, each ->
        {
            each.setColumns("n = sequence()");
            each.setRate(1_000);
        }))
        {
            // The channel accepts the first event only after ten seconds: this object is locked.
            synchronized (made)
            {
                made.start();
                RunningGenerator.await(made::isBlocked);
                clock.advance(TimeUnit.SECONDS.toNanos(10));
            }
            RunningGenerator.await(() -> made.rows().size() >= 10_000);
            assertThat(made.originsNs().subList(0, 10_000)).isEqualTo(
                LongStream.range(0, 10_000).map(each -> each * 1_000_000).boxed().toList());
        }
    }

    @Test
    void shouldContinueAfterASuspensionWithoutCatchingUp() throws Exception
    {
        final ManualClock clock = new ManualClock(0);
        try (RunningGenerator made = generator(NUMBER, clock, each ->
        {
            each.setColumns("n = sequence()");
            each.setRate(1);
        }).start())
        {
            RunningGenerator.await(() -> made.rows().size() == 1);
            made.adapter.suspend();
            made.join();
            clock.advance(TimeUnit.HOURS.toNanos(1));
            made.adapter.beforeResume();
            made.start();
            RunningGenerator.await(() -> made.rows().size() == 2);
            clock.advance(TimeUnit.SECONDS.toNanos(1));
            RunningGenerator.await(() -> made.rows().size() == 3);
            assertThat(made.column(0)).containsExactly(0L, 1L, 2L);
            assertThat(made.originsNs()).containsExactly(0L, 3_600_000_000_000L, 3_601_000_000_000L);
        }
    }

    @Test
    void shouldUseTheDueTimeAsTheValueOfNow() throws Exception
    {
        final EventType type = EventType.tuple("Timed", new EventProperty("at", CqlType.TIMESTAMP));
        final ManualClock clock = new ManualClock(5_000);
        try (RunningGenerator made = generator(type, clock, each ->
        {
            each.setRate(10);
            each.setCount(2);
        }).start())
        {
            RunningGenerator.await(() -> made.rows().size() == 1);
            clock.advance(TimeUnit.SECONDS.toNanos(60));
            made.join();
            assertThat(made.column(0)).containsExactly(5_000L, 100_005_000L);
        }
    }

    private static void refuse(final String columns, final String... parts)
    {
        assertThatThrownBy(() -> generator(TRADE, Clock.SYSTEM, each ->
        {
            each.setCount(1);
            each.setColumns(columns);
        })).isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll(parts);
    }

    @Test
    void shouldRefuseWrongColumns()
    {
        refuse("id", "LDG-0301", "stage=made", "'=' is missing, position=3");
        refuse("id = sequence", "LDG-0301", "'(' is missing");
        refuse("id = sequence(1", "LDG-0301", "')' is missing");
        refuse("id = sequence(1) size = sequence(1)", "LDG-0301", "';' is missing");
        refuse("id = sequence(,1)", "LDG-0301", "a name or value is missing, position=15");
        refuse("symbol = choice('a)", "LDG-0301", "a quote is not closed");
        refuse("symbol = choice(a:0)", "LDG-0301", "weight=0");
        refuse("id = sequence(); id = sequence()", "LDG-0301", "a column occurs twice, column=id");
        refuse("cost = sequence()", "LDG-0302", "column=cost", "properties=[id, symbol");
        refuse("id = random()", "LDG-0302", "unknown function, functions=[constant, choice,");
        refuse("id = uniform(1)", "LDG-0302", "wrong number of arguments, expected=2 actual=1");
        refuse("id = uniform(2, 1)", "LDG-0302", "the minimum exceeds the maximum");
        refuse("id = uniform(1:2, 1)", "LDG-0302", "only choice has weights");
        refuse("size = sequence(3000000000)", "LDG-0302", "not a value of type int, value=3000000000");
        refuse("price = walk(1, 1, 2, 3)", "LDG-0302", "the start is outside of the bounds");
        refuse("price = walk(2, 2, 2, 3)", "LDG-0302", "the step is");
        refuse("flag = sequence()", "LDG-0302", "the type has no numbers");
        refuse("note = text(1, 17)", "LDG-0302", "length=16");
        refuse("note = constant(12345678901234567)", "LDG-0302", "column=note");
        refuse("account = uniform(1, 40, abcdefghijklmno)", "LDG-0302", "length=16");
        refuse("id = now()", "LDG-0302", "the type has no time");
        refuse("at = constant('yesterday')", "LDG-0302", "value=yesterday");
    }

    @Test
    void shouldRefuseWrongProperties()
    {
        final List<Consumer<GeneratorAdapter>> wrong = List.of(each -> each.setRate(-1),
            each -> each.setRate(Double.NaN), each -> each.setCount(-1),
            each -> each.setBurst(0), each -> each.setRate(0));
        assertThat(wrong).allSatisfy(properties -> assertThatThrownBy(
            () -> generator(NUMBER, Clock.SYSTEM, properties)).hasMessageStartingWith("LDG-0301 "));
        assertThatThrownBy(() -> generator(NUMBER, Clock.SYSTEM, each ->
        {
            each.setRate(1);
            each.setEventTypeName("Other");
        })).hasMessageStartingWith("LDG-0303 ").hasMessageContaining("known=[Number]");
        final GeneratorAdapter alone = new GeneratorAdapter();
        alone.setRate(1);
        alone.afterPropertiesSet();
        alone.afterConfigurationActive();
        assertThatThrownBy(alone::run).hasMessageStartingWith("LDG-0304 ");
    }
}
