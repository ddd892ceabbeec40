package dev.millrace.assembly.epn;

import dev.millrace.assembly.xml.Located;

/**
 * A value or text with a placeholder.
 *
 * @param adapter id of the adapter that it was written in, {@code null} when in none
 * @param text    as written, and where
 */
public record Placeholder(String adapter, Located text)
{
}
