package dev.millrace.cql.testkit.command;

import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import java.util.ArrayList;
import java.util.List;

/** Describes how patterns run and the state of a partition. */
final class PatternNotes
{
    private PatternNotes()
    {
    }

    /** Lines about all patterns of a flow, empty without patterns. */
    static List<String> of(final CompiledFlow flow)
    {
        final List<String> lines = new ArrayList<>();
        for (final String text : flow.patternTexts())
        {
            final String[] parts = text.split("; ");
            lines.add(flow.plan().name() + ": " + parts[0]);
            for (int i = 1; i < parts.length; i++)
            {
                lines.add("  " + parts[i]);
            }
        }
        return lines;
    }

    /** Lines about all patterns of a pipeline, empty without patterns. */
    static List<String> of(final PipelinePlan plan)
    {
        final List<String> lines = new ArrayList<>();
        plan.roots().forEach(root -> collect(plan.name(), root, lines));
        return lines;
    }

    private static void collect(final String pipeline, final Operator operator, final List<String> lines)
    {
        if (operator instanceof Operator.FixedPattern pattern)
        {
            final int rows = pattern.conditions().size();
            lines.add(pipeline + ": pattern of " + rows + " rows, compiled with the query");
            lines.add("  a partition stores the columns that are read of its last " + (rows - 1) +
                " row(s), and a bit for each prefix");
        }
        else if (operator instanceof Operator.SequencePattern)
        {
            lines.add(pipeline + ": pattern of a start and an end: ordered by the value that the end must reach, " +
                "compiled with the query");
            lines.add("  a partition stores the waiting starts: the columns that are read of them, a key and a time");
        }
        operator.consumers().forEach(consumer -> collect(pipeline, consumer, lines));
    }
}
