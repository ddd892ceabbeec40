package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.cache.CacheLoader;
import dev.millrace.api.function.AggregateFunction;
import dev.millrace.api.function.AggregateFunctionFactory;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A failure in one query of a processor does not affect the other query, which emits a row for each row sent. */
@Tag("slow")
@Timeout(180)
class UndisturbedQueriesTest
{
    private static final String CLASS = "dev.millrace.cql.processor.UndisturbedQueriesTest$";
    private static final int ROWS = 200;
    private static final int BESIDE = 10_000;

    /** Functions that fail for every third row. */
    public static class Functions
    {
        static final CountDownLatch ENTERED = new CountDownLatch(1);
        static final CountDownLatch LEAVE = new CountDownLatch(1);

        /** Throws. */
        public int throwing(final int value)
        {
            if (value % 3 == 0)
            {
                throw new IllegalStateException("no " + value);
            }
            return value;
        }

        /** Fails with an error, not an exception. */
        public int erring(final int value)
        {
            if (value % 3 == 0)
            {
                throw new StackOverflowError();
            }
            return value;
        }

        /** Returns another type than declared. */
        public Object lying(final int value)
        {
            return value % 3 == 0 ? "three" : (Object)value;
        }

        /** Returns when the test allows it. */
        public int blocking(final int value) throws InterruptedException
        {
            ENTERED.countDown();
            LEAVE.await(60, TimeUnit.SECONDS);
            return value;
        }
    }

    /** Fails when a row is removed. */
    public static class Fragile implements AggregateFunctionFactory
    {
        @Override
        public List<Class<?>> argumentTypes()
        {
            return List.of(int.class);
        }

        @Override
        public Class<?> resultType()
        {
            return int.class;
        }

        @Override
        public boolean isIncremental()
        {
            return true;
        }

        @Override
        public AggregateFunction newFunction()
        {
            return new AggregateFunction()
            {
                @Override
                public void handleReset()
                {
                    // There is no state.
                }

                @Override
                public void handlePlus(final Object[] arguments)
                {
                    // There is no state.
                }

                @Override
                public void handleMinus(final Object[] arguments)
                {
                    throw new IllegalStateException("nothing leaves");
                }

                @Override
                public Object value()
                {
                    return 1;
                }
            };
        }
    }

    /** Loads the first half of the requested keys, then fails. */
    public static class Loader implements CacheLoader
    {
        @Override
        public Object load(final Object key)
        {
            if (Integer.parseInt(key.toString().substring(1)) > ROWS / 2)
            {
                throw new IllegalStateException("connection lost");
            }
            return Map.of("symbol", key, "price", 7);
        }

        @Override
        public Map<Object, Object> loadAll(final Collection<?> keys)
        {
            return Map.of();
        }

        @Override
        public Map<Object, Object> loadAll()
        {
            return Map.of();
        }
    }

    private static ObjectApplication.Builder with(final String bad, final String good)
    {
        return ObjectApplication.with().rules("<query id=\"bad\"><![CDATA[" + bad + "]]></query>" +
            "<query id=\"good\"><![CDATA[" + good + "]]></query>");
    }

    private static String function(final String name)
    {
        return "<wlevs:function function-name=\"" + name + "\" exec-method=\"" + name + "\" class=\"" + CLASS +
            "Functions\"" + (name.equals("lying") ? " return-type=\"int\"" : "") + "/>\n";
    }

    private static List<String> beside()
    {
        return IntStream.rangeClosed(1, ROWS).mapToObj(i -> "+" + (BESIDE + i)).toList();
    }

    private static List<String> rows(final ObjectApplication application, final boolean ofGood)
    {
        return application.allRows().stream().filter(row -> row.length() > 5 == ofGood).toList();
    }

    private static ObjectApplication sendAll(final ObjectApplication application)
    {
        for (int i = 1; i <= ROWS; i++)
        {
            application.send(i, "k" + i, i);
        }
        return application;
    }

    @ParameterizedTest
    @ValueSource(strings = {"throwing", "erring", "lying"})
    void shouldGoOnBesideAFunctionThatFails(final String function) throws Exception
    {
        for (final String window : List.of("", "[range 5 nanoseconds]"))
        {
            try (ObjectApplication application = with("IStream(select " + function + "(v) as x from S" + window + ")",
                "select v + " + BESIDE + " as x from S").objects(function(function)).start())
            {
                sendAll(application);

                assertThat(rows(application, true)).isEqualTo(beside());
                assertThat(rows(application, false)).isEqualTo(IntStream.rangeClosed(1, ROWS).filter(i -> i % 3 != 0)
                    .mapToObj(i -> "+" + i).toList());
                assertThat(application.rejected("function-failed")).isEqualTo(ROWS / 3);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"10 / (v % 2)", "10 / (v - v)"})
    void shouldGoOnBesideADivisionByZero(final String division) throws Exception
    {
        try (ObjectApplication application = with("select " + division.replace("v % 2", "mod(v, 2)") + " as x from S",
            "IStream(select v + " + BESIDE + " as x from S[range 5 nanoseconds])").start())
        {
            sendAll(application);

            assertThat(rows(application, true)).isEqualTo(beside());
            assertThat(rows(application, false)).hasSize(division.contains("%") ? ROWS / 2 : 0);
        }
    }

    @Test
    void shouldGoOnBesideAnAggregateThatFails() throws Exception
    {
        try (ObjectApplication application = with("IStream(select fragile(v) as x from S[rows 10])",
            "IStream(select sum(v) + " + BESIDE + " as x from S[rows 1])")
            .objects("<wlevs:function function-name=\"fragile\" class=\"" + CLASS + "Fragile\"/>").start())
        {
            sendAll(application);

            assertThat(rows(application, true)).containsAll(beside());
            assertThat(application.rejected("aggregate-failed")).isPositive();
        }
    }

    @Test
    void shouldGoOnBesideAFunctionThatBlocksWhenItsRowsComeByAnotherChannel() throws Exception
    {
        try (ObjectApplication application = with("select blocking(v) as x from S",
            "IStream(select v + " + BESIDE + " as x from R)").objects(function("blocking")).start())
        {
            final Thread blocked = new Thread(() -> application.send(1, "k", 1));
            blocked.start();
            assertThat(Functions.ENTERED.await(60, TimeUnit.SECONDS)).isTrue();
            for (int i = 1; i <= ROWS; i++)
            {
                application.insert(i, "k" + i, i);
            }
            application.insert(ROWS + 1, "end", 0);
            Waiting.until("the other query has emitted its rows", () -> application.rows().containsAll(beside()));
            assertThat(application.rows()).doesNotContain("+1");

            Functions.LEAVE.countDown();
            blocked.join(60_000);
            Waiting.until("the blocked row has arrived", () -> application.rows().contains("+1"));
        }
    }

    @Test
    void shouldGoOnBesideACacheWhoseLoaderFailsHalfWay() throws Exception
    {
        try (ObjectApplication application = with(
            "IStream(select p.price + s.v as x from S[now] as s, prices as p where p.symbol = s.k)",
            "IStream(select v + " + BESIDE + " as x from S[range 5 nanoseconds])")
            .objects("<wlevs:cache-source ref=\"prices\"/>")
            .beans("<wlevs:event-type-repository><wlevs:event-type type-name=\"Price\">" +
                "<wlevs:properties type=\"map\">" +
                "<wlevs:property name=\"symbol\" type=\"char\"/><wlevs:property name=\"price\" type=\"int\"/>" +
                "</wlevs:properties></wlevs:event-type></wlevs:event-type-repository>\n" +
                "<wlevs:cache id=\"prices\" value-type=\"Price\" key-properties=\"symbol\"><wlevs:cache-loader>" +
                "<bean class=\"" + CLASS + "Loader\"/></wlevs:cache-loader></wlevs:cache>").start())
        {
            sendAll(application);

            assertThat(rows(application, true)).isEqualTo(beside());
            assertThat(rows(application, false)).isEqualTo(
                IntStream.rangeClosed(1, ROWS / 2).mapToObj(i -> "+" + (7 + i)).toList());
            assertThat(application.rejected("cache-loader-failed")).isEqualTo(ROWS / 2);
        }
    }
}
