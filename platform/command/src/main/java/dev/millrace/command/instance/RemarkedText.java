package dev.millrace.command.instance;

import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The text of a file in which people leave remarks: what stands in a remark is neither found nor changed, and all
 * that is not changed stays as it was written. Unchangeable.
 */
final class RemarkedText
{
    private final String text;

    private final Pattern remark;

    /** As long as the text, with blanks in place of remarks. */
    private final String plain;

    RemarkedText(final String text, final Pattern remark)
    {
        this.text = text;
        this.remark = remark;
        this.plain = remark.matcher(text).replaceAll(match -> " ".repeat(match.end() - match.start()));
    }

    /** All places outside of remarks that match, with their positions in the text. */
    List<MatchResult> find(final Pattern pattern)
    {
        return pattern.matcher(plain).results().toList();
    }

    /** The same with another text for one group of each match. */
    RemarkedText replace(final Pattern pattern, final int group, final Function<MatchResult, String> replacement)
    {
        final StringBuilder changed = new StringBuilder();
        int done = 0;
        for (final MatchResult match : find(pattern))
        {
            changed.append(text, done, match.start(group)).append(replacement.apply(match));
            done = match.end(group);
        }
        return new RemarkedText(changed.append(text, done, text.length()).toString(), remark);
    }

    @Override
    public String toString()
    {
        return text;
    }
}
