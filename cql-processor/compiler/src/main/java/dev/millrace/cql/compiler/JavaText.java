package dev.millrace.cql.compiler;

/** Writes indented Java source text with braces on separate lines. */
final class JavaText
{
    private static final String INDENT = "    ";

    private final StringBuilder text = new StringBuilder();
    private int depth;

    JavaText(final int depth)
    {
        this.depth = depth;
    }

    /** Adds a line at the current depth; an empty line stays empty. */
    JavaText line(final String line)
    {
        if (!line.isEmpty())
        {
            text.append(INDENT.repeat(depth)).append(line);
        }
        text.append('\n');
        return this;
    }

    /** Adds a heading and the opening brace of its block. */
    JavaText open(final String heading)
    {
        line(heading);
        line("{");
        depth++;
        return this;
    }

    /** Ends the innermost block. */
    JavaText close()
    {
        depth--;
        return line("}");
    }

    /** Appends text that another writer has written at the correct depth. */
    JavaText append(final JavaText other)
    {
        text.append(other.text);
        return this;
    }

    int depth()
    {
        return depth;
    }

    boolean isEmpty()
    {
        return text.length() == 0;
    }

    /** Escapes user input for a comment: no escape sequence, no end of comment, no line break. */
    static String comment(final String userText)
    {
        final StringBuilder safe = new StringBuilder();
        for (int i = 0; i < userText.length() && i < 80; i++)
        {
            final char c = userText.charAt(i);
            final boolean plain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
                c == '_' || c == '.' || c == '-' || c == ' ' || c == ',';
            safe.append(plain ? c : '_');
        }
        return safe.toString();
    }

    @Override
    public String toString()
    {
        return text.toString();
    }
}
