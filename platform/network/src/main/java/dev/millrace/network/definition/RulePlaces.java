package dev.millrace.network.definition;

import java.util.List;
import java.util.Map;

/**
 * Where the parts of a rule were written. A rule's text may be written in runs: character references, comments and
 * sections between them take more room in the file than in the text.
 *
 * @param runs       in order; the first one begins with the text
 * @param attributes of the first character of the value of each attribute, by name
 */
public record RulePlaces(List<Run> runs, Map<String, SourcePosition> attributes)
{
    /** Copies the lists. */
    public RulePlaces
    {
        runs = List.copyOf(runs);
        attributes = Map.copyOf(attributes);
    }

    /**
     * Characters that stand in the file as they stand in the text.
     *
     * @param from     index of the first character in the text
     * @param position of that character in the file
     */
    public record Run(int from, SourcePosition position)
    {
    }

    /**
     * The place of a character of the text.
     *
     * @param text  of the rule
     * @param index of the character, up to the length of the text
     * @return place in the file
     */
    public SourcePosition of(final String text, final int index)
    {
        Run run = runs.get(0);
        for (final Run each : runs)
        {
            run = each.from() <= index ? each : run;
        }
        final int lastLine = text.lastIndexOf('\n', index - 1);
        if (lastLine < run.from())
        {
            return new SourcePosition(run.position().file(), run.position().line(),
                run.position().column() + index - run.from());
        }
        final int lines = (int)text.substring(run.from(), index).chars().filter(c -> c == '\n').count();
        return new SourcePosition(run.position().file(), run.position().line() + lines, index - lastLine);
    }
}
