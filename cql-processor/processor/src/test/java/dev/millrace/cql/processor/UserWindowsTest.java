package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.api.window.TimeWindow;
import dev.millrace.api.window.TimeWindowFactory;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Windows of an application, from the assembly file to the rows of a running network. */
@Timeout(60)
class UserWindowsTest
{
    private static final String CLASS = "dev.millrace.cql.processor.UserWindowsTest$";

    /** Tumbling windows: rows of the current period. */
    public static class Tumbling implements TimeWindowFactory
    {
        static final List<List<Object>> SEEN = new CopyOnWriteArrayList<>();

        @Override
        public TimeWindow newWindow(final List<Object> arguments)
        {
            SEEN.add(arguments);
            if (arguments.isEmpty())
            {
                throw new IllegalArgumentException("give the length of a period");
            }
            final long lengthNs = ((Number)arguments.get(0)).longValue();
            return lengthNs == 0 ? null : new TimeWindow()
            {
                @Override
                public long afterNs(final long nowNs)
                {
                    if (nowNs == 666)
                    {
                        throw new IllegalStateException("not now");
                    }
                    return nowNs / lengthNs * lengthNs - 1;
                }

                @Override
                public long untilNs(final long nowNs)
                {
                    return nowNs;
                }

                @Override
                public long nextNs(final long nowNs, final long oldestNs)
                {
                    return (nowNs / lengthNs + 1) * lengthNs;
                }
            };
        }
    }

    private static ObjectApplication.Builder with()
    {
        return ObjectApplication.with().out("x", "int")
            .objects("<wlevs:window window-name=\"Tumbling\" class=\"" + CLASS + "Tumbling\"/>")
            .options("is-relation=\"true\" primary-key=\"x\"");
    }

    @Test
    void shouldHoldTheRowsThatTheClassSays() throws Exception
    {
        try (ObjectApplication application = with()
            .query("select v as x from S[tumbling(10)]").start())
        {
            application.send(1, "a", 1).send(9, "a", 2).send(10, "a", 3).send(31, "a", 4);

            assertThat(application.rows()).containsExactly("+1", "+2", "-1", "-2", "+3", "-3", "+4");
        }
    }

    @Test
    void shouldHandOverConstantsOfEachType() throws Exception
    {
        Tumbling.SEEN.clear();
        try (ObjectApplication application = ObjectApplication.with()
            .objects("<wlevs:window window-name=\"w\" class=\"" + CLASS + "Tumbling\"/>")
            .options("is-relation=\"true\" primary-key=\"x\"")
            .query("select v as x from S[W(10, 'text', 5000000000L, 1.5, 2.5d, 0.5f, true, INTERVAL '1' SECOND, -3)]")
            .start())
        {
            assertThat(Tumbling.SEEN).contains(
                List.of(10, "text", 5_000_000_000L, 1.5, 2.5, 0.5f, true, 1_000_000_000L, -3));
            application.send(1, "a", 1);
            assertThat(application.rows()).containsExactly("+1");
        }
    }

    @Test
    void shouldCountFailuresOfTheClassAndGoOn() throws Exception
    {
        try (ObjectApplication application = ObjectApplication.with()
            .objects("<wlevs:window window-name=\"w\" class=\"" + CLASS + "Tumbling\"/>")
            .options("is-relation=\"true\" primary-key=\"x\"").query("select v as x from S[w(1000)]").start())
        {
            application.send(1, "a", 1).send(666, "a", 2).send(700, "a", 3);

            assertThat(application.rows()).containsExactly("+1", "+2", "+3");
            assertThat(application.rejected("window-failed")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "select v as x from S[tumblin(10)]|CQL-2018|no window tumblin|did you mean Tumbling|22",
        "select v as x from S[other(10)]|CQL-2018|no window other|windows of this processor: Tumbling|22",
        "select v as x from S[tumbling(v)]|CQL-4024|must be constants|write a number|31",
        "select v as x from S[tumbling(null)]|CQL-4024|must be constants|write a number|31",
        "select v as x from S[tumbling()]|CQL-8006|arguments=[] reason=give the length of a period|expects|1",
        "select v as x from S[tumbling(0)]|CQL-8006|arguments=[0] reason=the factory returned null|expects|1",
        "select v as x from S[tumbling('a')]|CQL-8006|ClassCastException|expects|1"})
    void shouldRefuseWrongUses(
        final String query, final String code, final String text, final String hint, final int column)
    {
        final DeploymentException refused = catchThrowableOfType(DeploymentException.class,
            () -> with().rules("<query id=\"wrong\">\n" + query + "</query>").start().close());
        final Problem problem = refused.problems().get(0);

        assertThat(problem.code()).as(problem.format()).isEqualTo(code);
        assertThat(problem.text().replace("java.lang.", "")).contains(text);
        assertThat(problem.hint()).contains(hint);
        assertThat(problem.position().file()).isEqualTo(ObjectApplication.CONFIGURATION_FILE);
        assertThat(problem.excerpt()).isNotEmpty();
        if (column > 1)
        {
            assertThat(problem.position().column()).isEqualTo(column);
        }
    }
}
