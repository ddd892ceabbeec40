package dev.millrace.assembly.xml;

import dev.millrace.network.definition.SourcePosition;

/**
 * A value and its position.
 *
 * @param value    string as written
 * @param position of its first character
 */
public record Located(String value, SourcePosition position)
{
    /**
     * Whether the value is only known after the context has resolved placeholders.
     *
     * @return true when it contains a placeholder
     */
    public boolean hasPlaceholder()
    {
        return value.contains("${");
    }
}
