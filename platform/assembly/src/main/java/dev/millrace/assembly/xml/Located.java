package dev.millrace.assembly.xml;

import dev.millrace.network.definition.SourcePosition;

/**
 * A value and where it was written.
 *
 * @param value    text as written
 * @param position of its first character
 */
public record Located(String value, SourcePosition position)
{
    /**
     * Whether the value is known only when the context has resolved placeholders.
     *
     * @return true when it holds a placeholder
     */
    public boolean hasPlaceholder()
    {
        return value.contains("${");
    }
}
