package dev.millrace.assembly.epn;

import dev.millrace.assembly.xml.Located;

/**
 * A value or text with a placeholder.
 *
 * @param adapter id of the enclosing adapter, {@code null} outside adapters
 * @param text    as written, with its position
 */
public record Placeholder(String adapter, Located text)
{
}
