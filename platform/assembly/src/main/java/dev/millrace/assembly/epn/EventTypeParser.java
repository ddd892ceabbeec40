package dev.millrace.assembly.epn;

import dev.millrace.api.event.EventType.Kind;
import dev.millrace.assembly.epn.EventTypeDeclaration.Field;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import dev.millrace.assembly.xml.XmlPositions;
import java.util.ArrayList;
import java.util.List;
import org.w3c.dom.Element;

/** Reads {@code event-type-repository}. */
final class EventTypeParser
{
    private final EpnModel model;

    EventTypeParser(final EpnModel model)
    {
        this.model = model;
    }

    void parse(final Element repository)
    {
        for (final Element element : Elements.children(repository, "event-type"))
        {
            final Located name = Elements.attribute(element, "type-name");
            if (name != null)
            {
                final EventTypeDeclaration before = model.eventTypes().get(name.value());
                if (before != null)
                {
                    model.problems().add(AssemblyErrorCode.DUPLICATE, name.position(),
                        "the event type is declared twice, type-name=" + name.value() + " first=" + before.position(),
                        "rename or remove one of them");
                    continue;
                }
                model.eventTypes().put(name.value(), eventType(element, name.value()));
            }
        }
    }

    private EventTypeDeclaration eventType(final Element element, final String name)
    {
        Kind kind = null;
        Located beanClass = null;
        final List<Field> fields = new ArrayList<>();
        for (final Element child : Elements.children(element))
        {
            final Kind before = kind;
            switch (child.getLocalName())
            {
                case "class" ->
                {
                    kind = Kind.BEAN;
                    beanClass = Elements.text(child);
                }
                case "properties" ->
                {
                    kind = kind(child);
                    properties(child, fields);
                }
                case "property", "metadata" ->
                {
                    if (refusedBuilder(child))
                    {
                        continue;
                    }
                    kind = Kind.MAP;
                    entries(child, fields);
                }
                default ->
                {
                    // The vocabulary check has refused it.
                }
            }
            if (before != null)
            {
                model.problems().add(AssemblyErrorCode.CONTRADICTION, XmlPositions.of(child),
                    "an event type has exactly one kind of description, type-name=" + name + " element=" +
                        child.getNodeName(), "keep one of class, properties and property");
            }
        }
        if (kind == null)
        {
            model.problems().add(AssemblyErrorCode.MISSING, XmlPositions.of(element),
                "an event type needs a description, type-name=" + name,
                "add <wlevs:properties> with its properties, or <wlevs:class> with the name of its class");
            kind = Kind.TUPLE;
        }
        return new EventTypeDeclaration(name, XmlPositions.of(element), kind, beanClass, List.copyOf(fields));
    }

    private Kind kind(final Element properties)
    {
        final Located type = Elements.attribute(properties, "type");
        if (type == null || type.value().equals("tuple"))
        {
            return Kind.TUPLE;
        }
        if (!type.value().equals("map"))
        {
            model.problems().add(AssemblyErrorCode.BAD_VALUE, type.position(),
                "unknown kind of event type, type=" + type.value(),
                Suggestions.hint(type.value(), "kinds", List.of("tuple", "map")));
        }
        return Kind.MAP;
    }

    private void properties(final Element properties, final List<Field> fields)
    {
        for (final Element property : Elements.children(properties, "property"))
        {
            final Located name = Elements.attribute(property, "name");
            final Located type = Elements.attribute(property, "type");
            if (name != null && type != null)
            {
                fields.add(new Field(name, type, Elements.attribute(property, "length")));
            }
        }
    }

    private boolean refusedBuilder(final Element property)
    {
        final boolean builder = property.hasAttribute("name") || property.hasAttribute("ref") ||
            property.hasAttribute("value") || !Elements.children(property, "bean").isEmpty();
        if (builder)
        {
            model.problems().add(AssemblyErrorCode.NOT_AVAILABLE, XmlPositions.of(property),
                "event builders are not available yet, element=" + property.getNodeName(),
                "give the class a constructor without arguments and a setter for each property, or declare a tuple");
        }
        return builder;
    }

    /** The old notation of map types, without {@code properties}: entries with Java class names. */
    private void entries(final Element property, final List<Field> fields)
    {
        for (final Element entry : Elements.children(property, "entry"))
        {
            final Located name = Elements.attribute(entry, "key");
            final Located type = Elements.attribute(entry, "value");
            if (name == null || type == null)
            {
                model.problems().add(AssemblyErrorCode.MISSING, XmlPositions.of(entry),
                    "an entry needs the attributes key and value", "write <entry key=\"name\" value=\"java class\"/>");
            }
            else
            {
                fields.add(new Field(name, type, null));
            }
        }
    }
}
