package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries with placeholders: each params element is a running query with its own values. */
@Timeout(60)
class BindingsTest
{
    private static final String QUERY = "<query id=\"q\">select v + :2 as x from S where k = :1</query>";
    private static final String BINDING =
        "<binding id=\"q\"><params id=\"a\">'A', 100</params><params id=\"b\">B, 200</params></binding>";

    @Test
    void shouldRunOneQueryForEachParams() throws Exception
    {
        try (ObjectApplication application =
            ObjectApplication.with().rules(QUERY).bindings(BINDING).start())
        {
            application.send(1, "A", 1).send(2, "B", 2).send(3, "C", 3);

            assertThat(application.rows()).containsExactly("+101", "+202");
            assertThat(application.network().statistics().toString()).contains("q_a={rowsIn=3, rowsOut=1}",
                "q_b={rowsIn=3, rowsOut=1}");
        }
    }

    @ParameterizedTest
    @CsvSource({"q_b, +202", "q_a, +101", "q, '+101,+202'"})
    void shouldLetChannelsSelectRunningQueries(final String selector, final String expected) throws Exception
    {
        try (ObjectApplication application = ObjectApplication.with().rules(QUERY).bindings(BINDING)
            .others("<channel><name>out</name><selector>" + selector + "</selector></channel>").start())
        {
            application.send(1, "A", 1).send(2, "B", 2);

            assertThat(String.join(",", application.rows())).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "<params id=\"a\">'A'</params>|CQL-1033|:2|params have 1|add a value",
        "<params id=\"a\">'A', 1, 2</params>|CQL-1035|'A', 1, 2|params have 3 values|remove a value"})
    void shouldRefuseTheWrongNumberOfValues(
        final String params, final String code, final String shownAt, final String text, final String hint)
    {
        final ObjectApplication.Builder files = ObjectApplication.with().rules(QUERY)
            .bindings("<binding id=\"q\">" + params + "</binding>");
        isRefused(files, code, shownAt, text, hint);
    }

    @Test
    void shouldRefuseAPlaceholderWithoutBinding()
    {
        isRefused(ObjectApplication.with().rules(QUERY), "CQL-1031", ":2", "has no value", "add a binding");
    }

    @Test
    void shouldRefuseAPlaceholderInAView()
    {
        isRefused(ObjectApplication.with().rules("<view id=\"v\">select v + :1 as x from S</view>" +
            "<query id=\"q\">select * from v</query>"), "CQL-1030", ":1", "cannot be used in a view",
            "put it into the query");
    }

    private static void isRefused(final ObjectApplication.Builder files, final String code, final String shownAt,
        final String text, final String hint)
    {
        final DeploymentException refused =
            catchThrowableOfType(DeploymentException.class, () -> files.start().close());
        final Problem problem = refused.problems().get(0);
        final String file = files.configuration();
        final int at = file.indexOf(shownAt);

        assertThat(problem.code()).as(problem.format()).isEqualTo(code);
        assertThat(problem.text()).contains(text);
        assertThat(problem.hint()).contains(hint);
        assertThat(problem.position()).hasToString(ObjectApplication.CONFIGURATION_FILE + ':' +
            (file.substring(0, at).chars().filter(c -> c == '\n').count() + 1) + ':' +
            (at - file.lastIndexOf('\n', at - 1)));
        assertThat(problem.excerpt()).isNotEmpty();
    }
}
