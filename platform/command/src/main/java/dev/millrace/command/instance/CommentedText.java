package dev.millrace.command.instance;

import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The text of a file with comments. Comments are neither searched nor changed, and all unchanged text is preserved.
 * Immutable.
 */
final class CommentedText
{
    private final String text;

    private final Pattern remark;

    /** The text with blanks instead of comments; same length. */
    private final String plain;

    CommentedText(final String text, final Pattern remark)
    {
        this.text = text;
        this.remark = remark;
        this.plain = remark.matcher(text).replaceAll(match -> " ".repeat(match.end() - match.start()));
    }

    /** Returns all matches outside comments, with their positions in the text. */
    List<MatchResult> find(final Pattern pattern)
    {
        return pattern.matcher(plain).results().toList();
    }

    /** Returns a copy in which one group of each match is replaced. */
    CommentedText replace(final Pattern pattern, final int group, final Function<MatchResult, String> replacement)
    {
        final StringBuilder changed = new StringBuilder();
        int done = 0;
        for (final MatchResult match : find(pattern))
        {
            changed.append(text, done, match.start(group)).append(replacement.apply(match));
            done = match.end(group);
        }
        return new CommentedText(changed.append(text, done, text.length()).toString(), remark);
    }

    @Override
    public String toString()
    {
        return text;
    }
}
