package dev.millrace.cql.testkit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.CqlProblem;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.planner.RulePlanner;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Checks the statements about ordering constraints in the documents: lines of partition expression (or
 * {@code UNORDERED}), verdict ({@code runs} or a code) and statement, below their sources.
 */
@Timeout(60)
class OrderingExamplesTest
{
    private static final String KIND = "ordering-example";
    private static final Pattern SOURCE = Pattern.compile("(stream|relation)\\s+(\\w+)\\s*\\((.*)\\)");

    private static Stream<Fence> blocks()
    {
        return Fence.documents().stream().flatMap(document -> Fence.of(document).stream())
            .filter(fence -> fence.kind().equals(KIND));
    }

    @TestFactory
    Stream<DynamicTest> shouldJudgeAsTheDocumentsSay()
    {
        return blocks().map(fence -> DynamicTest.dynamicTest(fence.place(), () -> check(fence)));
    }

    @Test
    void shouldFindExamples()
    {
        assertThat(blocks().toList()).isNotEmpty();
    }

    private static void check(final Fence fence)
    {
        final Catalog.Builder catalog = Catalog.builder();
        for (final String line : fence.lines())
        {
            final Matcher source = SOURCE.matcher(line.strip());
            if (source.matches())
            {
                catalog.channel(source.group(2), type(source.group(2), source.group(3)),
                    source.group(1).equals("relation"), true);
            }
            else if (!line.isBlank())
            {
                final String[] cells = line.split("\\|", 3);
                final String statement = cells[2].strip();
                assertThat(verdict(cells[0].strip(), statement, catalog.build())).as(fence.place() + ": " + statement)
                    .isEqualTo(cells[1].strip());
            }
        }
    }

    private static EventType type(final String name, final String columns)
    {
        final List<EventProperty> properties = Stream.of(columns.split(",")).map(String::strip)
            .map(column -> new EventProperty(column.split("\\s+")[0], CqlType.byName(column.split("\\s+")[1])))
            .toList();
        return EventType.tuple(name, properties.toArray(new EventProperty[0]));
    }

    private static String verdict(final String order, final String statement, final Catalog catalog)
    {
        final boolean isUnordered = order.equals("UNORDERED");
        final RuleText rule = new RuleText("q", false, statement, null, isUnordered ? order : "PARTITION_ORDERED",
            isUnordered ? null : order);
        try
        {
            new RulePlanner().plan("example", List.of(rule), catalog);
            return "runs";
        }
        catch (final CqlException refused)
        {
            return refused.problems().stream().map(CqlProblem::code).collect(Collectors.joining(" "));
        }
    }
}
