package dev.millrace.assembly.epn;

import dev.millrace.assembly.xml.Located;
import dev.millrace.network.definition.SourcePosition;

/**
 * A caching system as written in an assembly file.
 *
 * @param id        id
 * @param position  of the element
 * @param provider  short name, or {@code null} for the local one or one by class
 * @param beanClass class of the application that implements it, or {@code null}
 */
public record CachingSystemDeclaration(String id, SourcePosition position, Located provider, Located beanClass)
{
}
