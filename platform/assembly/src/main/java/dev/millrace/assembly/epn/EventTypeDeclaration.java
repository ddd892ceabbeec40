package dev.millrace.assembly.epn;

import dev.millrace.api.event.EventType;
import dev.millrace.assembly.xml.Located;
import dev.millrace.network.definition.SourcePosition;
import java.util.List;

/**
 * An event type as written in an assembly file.
 *
 * @param name      type name
 * @param position  of the element
 * @param kind      kind of the objects in user code
 * @param beanClass class of a bean type, otherwise {@code null}
 * @param fields    properties of other types, in order
 */
public record EventTypeDeclaration(
    String name, SourcePosition position, EventType.Kind kind, Located beanClass, List<Field> fields)
{
    /**
     * A property.
     *
     * @param name   name
     * @param type   CQL type or Java class name
     * @param length maximum number of characters, or {@code null}
     */
    public record Field(Located name, Located type, Located length)
    {
    }
}
