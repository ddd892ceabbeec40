package dev.millrace.network.definition;

import java.util.List;
import java.util.Map;

/**
 * Positions of the parts of a rule. A rule's source text may consist of several runs: character references, comments
 * and sections between them are longer in the file than in the source text.
 *
 * @param runs       in order; the first one starts at index 0 of the source text
 * @param attributes position of the first character of each attribute's value, by name
 */
public record RulePositions(List<Run> runs, Map<String, SourcePosition> attributes)
{
    /** Copies the lists. */
    public RulePositions
    {
        runs = List.copyOf(runs);
        attributes = Map.copyOf(attributes);
    }

    /**
     * Characters that are contiguous both in the file and in the source text.
     *
     * @param from     index of the first character in the source text
     * @param position of that character in the file
     */
    public record Run(int from, SourcePosition position)
    {
    }

    /**
     * Returns the position of a character of the source text.
     *
     * @param text  of the rule
     * @param index of the character, up to the length of the text
     * @return position in the file
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
