package dev.millrace.assembly.epn;

import dev.millrace.network.definition.SourcePosition;

/**
 * A reference from one element to another.
 *
 * @param target   id of the other
 * @param position of the reference
 * @param nested   whether the other was written inside the element
 */
public record Link(String target, SourcePosition position, boolean nested)
{
}
