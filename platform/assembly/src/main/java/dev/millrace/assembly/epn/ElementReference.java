package dev.millrace.assembly.epn;

import dev.millrace.network.definition.SourcePosition;

/**
 * A reference from one element to another.
 *
 * @param target   id of the other element
 * @param position of the reference
 * @param nested   whether the other element was written inside this one
 */
public record ElementReference(String target, SourcePosition position, boolean nested)
{
}
