package dev.millrace.cql.processor.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.api.function.AggregateFunction;
import dev.millrace.api.function.AggregateFunctionFactory;
import dev.millrace.cql.processor.LogLines;
import dev.millrace.cql.processor.ObjectApplication;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.lane.Rejections;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions and aggregates of an application, from the assembly file to the rows of a running network. */
@Tag("slow")
@Timeout(180)
class UserFunctionsTest
{
    private static final String CLASS = "dev.millrace.cql.processor.binding.UserFunctionsTest$";

    /** Functions of single rows. */
    public static class Functions
    {
        static final CountDownLatch ENTERED = new CountDownLatch(1);
        static final CountDownLatch LEAVE = new CountDownLatch(1);

        private final int factor;

        /** Multiplies by 2. */
        public Functions()
        {
            this(2);
        }

        /** Multiplies by a number. */
        public Functions(final int factor)
        {
            this.factor = factor;
        }

        /** A number times the factor. */
        public int times(final int value)
        {
            return value * factor;
        }

        /** Repeats a string as many times as the factor. */
        public String times(final String value)
        {
            return value == null ? null : value.repeat(factor);
        }

        /** The same as for int: the first of two equivalent overloads is used. */
        public Integer times(final Integer value)
        {
            return value == null ? null : value * factor;
        }

        /** A static method. */
        public static long negate(final long value)
        {
            return -value;
        }

        /** Any number of strings. */
        public String glue(final String separator, final String... parts)
        {
            return String.join(separator, parts);
        }

        /** All arguments in one array. */
        public Object list(final Object[] arguments)
        {
            return Arrays.toString(arguments);
        }

        /** Called with nulls, since its parameter is not a primitive. */
        public String orNone(final String value)
        {
            return value == null ? "none" : value;
        }

        /** Moves a time. */
        public Timestamp later(final Timestamp time)
        {
            final Timestamp moved = new Timestamp(time.getTime() + 1_000);
            moved.setNanos(time.getNanos());
            return moved;
        }

        /** A time of the older class. */
        public Date fixed()
        {
            return new Date(7);
        }

        /** Always null. */
        public Timestamp never()
        {
            return null;
        }

        /** Contradicts its return-type. */
        public Object liar(final int value)
        {
            return value > 10 ? "ten" : (Object)value;
        }

        /** Fails for one value. */
        public int fragile(final int value)
        {
            if (value == 2)
            {
                throw new IllegalStateException("two is not good");
            }
            return value;
        }

        /** Returns when the test allows it. */
        public int slow(final int value) throws InterruptedException
        {
            if (value == 99)
            {
                ENTERED.countDown();
                LEAVE.await(60, TimeUnit.SECONDS);
            }
            return value;
        }

        /** Returns nothing. */
        public void nothing()
        {
            // It has no result, as intended.
        }

        /** A type that CQL does not support. */
        public int small(final short value)
        {
            return value;
        }
    }

    static final class Hidden
    {
        public int one()
        {
            return 1;
        }
    }

    /** Sum of squares; counts the rows that are removed. */
    public static class Squares implements AggregateFunctionFactory
    {
        @Override
        public List<Class<?>> argumentTypes()
        {
            return List.of(int.class);
        }

        @Override
        public Class<?> resultType()
        {
            return long.class;
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
                private long sum;

                @Override
                public void handleReset()
                {
                    sum = 0;
                }

                @Override
                public void handlePlus(final Object[] arguments)
                {
                    sum += (long)(Integer)arguments[0] * (Integer)arguments[0];
                    arguments[0] = null;
                }

                @Override
                public void handleMinus(final Object[] arguments)
                {
                    sum -= (long)(Integer)arguments[0] * (Integer)arguments[0];
                }

                @Override
                public Object value()
                {
                    return sum == 0 ? null : sum;
                }
            };
        }
    }

    /** The strings so far; not incremental. */
    public static class Texts implements AggregateFunctionFactory
    {
        @Override
        public List<Class<?>> argumentTypes()
        {
            return List.of(String.class);
        }

        @Override
        public Class<?> resultType()
        {
            return String.class;
        }

        @Override
        public AggregateFunction newFunction()
        {
            return new AggregateFunction()
            {
                private final List<Object> texts = new ArrayList<>();

                @Override
                public void handleReset()
                {
                    texts.clear();
                }

                @Override
                public void handlePlus(final Object[] arguments)
                {
                    if ("bad".equals(arguments[0]))
                    {
                        throw new IllegalArgumentException("bad text");
                    }
                    texts.add(arguments[0]);
                }

                @Override
                public Object value()
                {
                    return texts.contains("liar") ? (Object)1 : texts.isEmpty() ? "" : texts.toString();
                }
            };
        }
    }

    /** Does not specify its types. */
    public static final class Mute extends Texts
    {
        @Override
        public List<Class<?>> argumentTypes()
        {
            return null;
        }
    }

    /** Has a type that CQL does not support. */
    public static final class Short extends Texts
    {
        @Override
        public Class<?> resultType()
        {
            return short.class;
        }
    }

    private static String function(final String name, final String method)
    {
        return "<wlevs:function function-name=\"" + name + "\" exec-method=\"" + method + "\" class=\"" + CLASS +
            "Functions\"/>\n";
    }

    private static String aggregate(final String name, final String type)
    {
        return "<wlevs:function function-name=\"" + name + "\" class=\"" + CLASS + type + "\"/>\n";
    }

    @Test
    void shouldCallTheOverloadThatFitsOnTheBeanThatWasDeclared() throws Exception
    {
        try (ObjectApplication application = ObjectApplication.with().out("x", "int", "y", "char", "z", "bigint")
            .objects("<wlevs:function function-name=\"many\" exec-method=\"times\"><bean class=\"" + CLASS +
                "Functions\"><constructor-arg value=\"3\"/></bean></wlevs:function>" + function("negative", "negate"))
            .query("select MANY(v) as x, many(k) as y, negative(v) as z from S").start())
        {
            application.send(1, "ab", 5).send(2, null, null);

            assertThat(application.rows()).containsExactly("+15,ababab,-5", "+null,null,null");
        }
    }

    @Test
    void shouldPassAnyNumberOfArgumentsNullsAndTimes() throws Exception
    {
        try (ObjectApplication application = ObjectApplication.with()
            .out("a", "char", "b", "char", "c", "char", "d", "timestamp", "e", "timestamp", "f", "timestamp")
            .objects(function("glue", "glue") + "<wlevs:function function-name=\"list\" exec-method=\"list\" class=\"" +
                CLASS + "Functions\" return-type=\"char\"/>" + function("orNone", "orNone") +
                function("later", "later") + function("fixed", "fixed") + function("never", "never"))
            .query("select glue('-', k, 'x', k) as a, list(v, k, 1.5) as b, orNone(k) as c, " +
                "later(to_timestamp(1000000007L)) as d, fixed() as e, never() as f from S")
            .start())
        {
            application.send(1, "u", 4).send(2, null, 5);

            assertThat(application.rows()).containsExactly("+u-x-u,[4, u, 1.5],u,2000000007,7000000,null",
                "+null-x-null,[5, null, 1.5],none,2000000007,7000000,null");
        }
    }

    @Test
    void shouldRejectTheRowAndNameTheFunctionWhenItThrowsOrReturnsSomethingElse() throws Exception
    {
        try (LogLines log = new LogLines(Rejections.class);
            ObjectApplication application = ObjectApplication.with()
                .objects(function("fragile", "fragile") + "<wlevs:function function-name=\"liar\" " +
                    "exec-method=\"liar\" class=\"" + CLASS + "Functions\" return-type=\"int\"/>")
                .query("select fragile(v) + liar(v) as x from S").start())
        {
            application.send(1, "a", 1).send(2, "a", 2).send(3, "a", 11).send(4, "a", 4);

            assertThat(application.rows()).containsExactly("+2", "+8");
            assertThat(application.rejected("function-failed")).isEqualTo(2);
            assertThat(log.lines()).anyMatch(
                line -> line.contains("function=fragile") && line.contains("two is not good"));
        }
    }

    @Test
    void shouldDisturbNoOtherThreadWhenAFunctionBlocks() throws Exception
    {
        try (ObjectApplication application = ObjectApplication.with().objects(function("slow", "slow"))
            .query("select slow(v) as x from S").start();
            ObjectApplication other = ObjectApplication.with().objects(function("slow", "slow"))
                .query("select slow(v) as x from S").start())
        {
            final Thread blocked = new Thread(() -> application.send(1, "a", 99));
            blocked.start();
            assertThat(Functions.ENTERED.await(60, TimeUnit.SECONDS)).isTrue();

            other.send(1, "b", 7);
            assertThat(other.rows()).containsExactly("+7");
            assertThat(application.rows()).isEmpty();

            Functions.LEAVE.countDown();
            blocked.join(60_000);
            assertThat(application.rows()).containsExactly("+99");
        }
    }

    @Test
    void shouldTakeRowsOutOfAnIncrementalAggregate() throws Exception
    {
        try (ObjectApplication application = ObjectApplication.with().out("k", "char", "x", "bigint")
            .objects(aggregate("squares", "Squares")).options("is-relation=\"true\" primary-key=\"k\"")
            .query("select k, SQUARES(v) as x from S[rows 2] group by k").start())
        {
            application.send(1, "a", 1).send(2, "a", 2).send(3, "a", 3).send(4, "b", 4).send(5, "b", 5);

            assertThat(application.rows()).containsExactly("+a,1", "-a,1", "+a,5", "-a,5", "+a,13", "-a,13", "+a,9",
                "+b,16", "-a,9", "-b,16", "+b,41");
        }
    }

    @Test
    void shouldComputeAnAggregateAnewWhenItIsNotIncremental() throws Exception
    {
        try (ObjectApplication application = ObjectApplication.with().out("x", "char")
            .objects(aggregate("texts", "Texts"))
            .query("IStream(select texts(k) as x from S[rows 2])").start())
        {
            application.send(1, "a", 1).send(2, "b", 2).send(3, "c", 3);

            assertThat(application.rows()).containsExactly("+null", "+[a]", "+[a, b]", "+[b, c]");
        }
    }

    @Test
    void shouldRejectTheRowWhenAnAggregateThrowsOrReturnsSomethingElse() throws Exception
    {
        try (LogLines log = new LogLines(Rejections.class);
            ObjectApplication application = ObjectApplication.with().out("k", "int", "x", "char")
                .objects(aggregate("texts", "Texts"))
                .query("IStream(select v as k, texts(k) as x from S group by v)").start())
        {
            application.send(1, "a", 1).send(2, "bad", 1).send(3, "liar", 2).send(4, "c", 3);

            assertThat(application.rows()).contains("+1,[a]", "+3,[c]").hasSize(2);
            assertThat(application.rejected("aggregate-failed")).isEqualTo(2);
            assertThat(log.lines()).anyMatch(line -> line.contains("function=texts") && line.contains("bad text"));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "exec-method=\"tims\" class=\"CLASSFunctions\"|no such public method, exec-method=tims|times",
        "exec-method=\"nothing\" class=\"CLASSFunctions\"|the result has a type that CQL does not support|return",
        "exec-method=\"small\" class=\"CLASSFunctions\"|a parameter has a type that CQL does not support|use int",
        "exec-method=\"one\" class=\"CLASSHidden\"|the method cannot be accessed|public",
        "exec-method=\"liar\" return-type=\"itn\" class=\"CLASSFunctions\"|return-type is not a CQL type|int, bigint",
        "exec-method=\"fragile\" return-type=\"char\" class=\"CLASSFunctions\"|another type than return-type|Object",
        "class=\"CLASSMute\"|does not specify the signature of its aggregates|argumentTypes",
        "class=\"CLASSShort\"|a type that CQL does not support|use int"})
    void shouldRefuseFunctionsThatCannotBeCalled(final String attributes, final String text, final String hint)
    {
        final ObjectApplication.Builder files = ObjectApplication.with()
            .objects("<wlevs:function function-name=\"f\" " + attributes.replace("CLASS", CLASS) + "/>")
            .query("select v as x from S");
        final Problem problem = refused(files);

        assertThat(problem.code()).as(problem.format()).isEqualTo("CQL-8005");
        assertThat(problem.text()).contains(text, "function=f", "class=" + CLASS);
        assertThat(problem.hint()).contains(hint);
        assertThat(problem.position()).hasToString(ObjectApplication.ASSEMBLY_FILE + ':' +
            (files.assembly().lines().takeWhile(line -> !line.contains("<wlevs:function")).count() + 1) + ":1");
    }

    @Test
    void shouldRefuseTheNameOfAnAggregateOfTheLanguage()
    {
        final Problem problem = refused(ObjectApplication.with().objects(aggregate("Sum", "Texts"))
            .query("select v as x from S"));

        assertThat(problem.code()).isEqualTo("CQL-8005");
        assertThat(problem.text()).contains("belongs to an aggregate of the language", "function=Sum");
    }

    @Test
    void shouldRefuseACallThatNoMethodFits()
    {
        final Problem problem = refused(ObjectApplication.with().objects(function("times", "times"))
            .query("select times(v, v) as x from S"));

        assertThat(problem.code()).isEqualTo("CQL-4012");
        assertThat(problem.text()).contains("times");
    }

    private static Problem refused(final ObjectApplication.Builder files)
    {
        final DeploymentException refused =
            catchThrowableOfType(DeploymentException.class, () -> files.start().close());
        assertThat(refused).as("the application must be refused").isNotNull();
        return refused.problems().get(0);
    }
}
