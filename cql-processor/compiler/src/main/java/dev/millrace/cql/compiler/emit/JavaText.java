package dev.millrace.cql.compiler.emit;

/** Writes indented Java source text with braces on separate lines. */
public final class JavaText
{
    private static final String INDENT = "    ";

    private final StringBuilder text = new StringBuilder();
    private int depth;

    public JavaText(final int depth)
    {
        this.depth = depth;
    }

    /** Adds a line at the current depth; an empty line stays empty. */
    public JavaText line(final String line)
    {
        if (!line.isEmpty())
        {
            text.append(INDENT.repeat(depth)).append(line);
        }
        text.append('\n');
        return this;
    }

    /** Adds a heading and the opening brace of its block. */
    public JavaText open(final String heading)
    {
        line(heading);
        line("{");
        depth++;
        return this;
    }

    /** Ends the innermost block. */
    public JavaText close()
    {
        depth--;
        return line("}");
    }

    /** Appends text that another writer has written at the correct depth. */
    public JavaText append(final JavaText other)
    {
        text.append(other.text);
        return this;
    }

    public boolean isEmpty()
    {
        return text.length() == 0;
    }

    @Override
    public String toString()
    {
        return text.toString();
    }
}
