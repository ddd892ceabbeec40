package dev.millrace.tuning.soccer;

import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The statements of the DEBS 2013 queries, from the files next to this class: {@code sensors.cql} for the processor
 * that all share, {@code q1.cql} to {@code q4.cql} for its readers. The files have the format of {@code millrace cql}.
 */
final class SoccerQueries
{
    private static final Pattern HEAD =
        Pattern.compile("(?s)\\s*(view|query)\\s+(\\w+)\\s*(?:\\(([^)]*)\\))?\\s+as\\b(.*)");

    private SoccerQueries()
    {
    }

    /**
     * Reads a file of statements.
     *
     * @param name without extension
     * @return its rules in order
     */
    static List<Rule> read(final String name)
    {
        final List<Rule> rules = new ArrayList<>();
        for (final String statement : text(name).replaceAll("(?m)^--.*$", "").split(";"))
        {
            final Matcher head = HEAD.matcher(statement);
            if (head.matches())
            {
                final List<String> columns = head.group(3) == null ? List.of() :
                    Pattern.compile(",").splitAsStream(head.group(3)).map(String::strip).toList();
                rules.add(new Rule(head.group(2), head.group(1).equals("view"), head.group(4), columns, "ORDERED", null,
                    true, SourcePosition.NONE));
            }
        }
        return rules;
    }

    /** Rules between the sensors and a query, in a separate processor so that its statements share their results. */
    static List<Rule> before(final String query)
    {
        return switch (query)
        {
            case "q1" -> read("paces");
            case "q2" -> read("spells");
            case "q3" -> read("seconds");
            default -> List.of();
        };
    }

    /** All views, and the queries that other rules refer to. */
    static List<Rule> readBy(final List<Rule> rules, final List<Rule> others)
    {
        return rules.stream().filter(rule -> rule.view() || others.stream().anyMatch(other ->
            Pattern.compile("\\b" + rule.id() + "\\b").matcher(other.text()).find())).toList();
    }

    private static String text(final String name)
    {
        try (InputStream file = SoccerQueries.class.getResourceAsStream(name + ".cql"))
        {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("statements cannot be read, file=" + name, e);
        }
    }
}
