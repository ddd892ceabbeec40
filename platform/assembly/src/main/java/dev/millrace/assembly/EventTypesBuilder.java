package dev.millrace.assembly;

import dev.millrace.api.cartridge.CartridgeLinks;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.assembly.epn.EventTypeDeclaration;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Located;
import dev.millrace.network.conversion.BeanType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.springframework.util.ClassUtils;

/**
 * Creates event types from their declarations; classes are loaded by the application's class loader, or
 * are types of cartridges. Not thread-safe.
 */
final class EventTypesBuilder
{
    private final Problems problems;
    private final ClassLoader classLoader;
    private final CartridgeLinks cartridges;

    EventTypesBuilder(final Problems problems, final ClassLoader classLoader, final CartridgeLinks cartridges)
    {
        this.cartridges = cartridges;
        this.problems = problems;
        this.classLoader = classLoader;
    }

    /** @param others finds copies of types of other applications; {@code null} where these are not known */
    EventTypes build(final Collection<EventTypeDeclaration> declarations, final Function<String, EventType> others)
    {
        final Map<String, EventType> types = new LinkedHashMap<>();
        for (final EventTypeDeclaration declaration : declarations)
        {
            final EventType type = declaration.kind() == EventType.Kind.BEAN ? bean(declaration) : rows(declaration);
            if (type != null)
            {
                types.put(type.name(), type);
            }
        }
        return new EventTypes(types, others);
    }

    private EventType rows(final EventTypeDeclaration declaration)
    {
        final Map<String, EventProperty> properties = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        final List<EventProperty> ordered = new ArrayList<>();
        for (final EventTypeDeclaration.Field field : declaration.fields())
        {
            final EventProperty property = property(field);
            if (property == null)
            {
                continue;
            }
            if (properties.put(property.name(), property) != null)
            {
                problems.add(AssemblyErrorCode.DUPLICATE, field.name().position(),
                    "the property is declared twice, type=" +
                    declaration.name() + " property=" + property.name(),
                    "rename one of them; CQL does not distinguish upper and lower case");
                continue;
            }
            ordered.add(property);
        }
        if (declaration.fields().isEmpty())
        {
            problems.add(AssemblyErrorCode.BAD_EVENT_TYPE, declaration.position(),
                "an event type needs at least one property, type=" + declaration.name(), "add its properties");
        }
        return ordered.isEmpty() ? null : new EventType(declaration.name(), declaration.kind(), ordered, null);
    }

    private EventProperty property(final EventTypeDeclaration.Field field)
    {
        final CqlType type = type(field.type());
        if (type == null || field.name().value().isEmpty())
        {
            if (type != null)
            {
                problems.add(AssemblyErrorCode.MISSING, field.name().position(), "the property has no name",
                    "add a name");
            }
            return null;
        }
        final Located length = field.length();
        if (length == null)
        {
            return new EventProperty(field.name().value(), type);
        }
        if (type != CqlType.CHAR && type != CqlType.BYTE)
        {
            problems.add(AssemblyErrorCode.CONTRADICTION, length.position(),
                "only char and byte have a length, property=" +
                field.name().value() + " type=" + type.cqlName(), "remove the attribute");
            return new EventProperty(field.name().value(), type);
        }
        try
        {
            return new EventProperty(field.name().value(), type, Integer.parseInt(length.value()));
        }
        catch (final IllegalArgumentException e)
        {
            problems.add(AssemblyErrorCode.BAD_VALUE, length.position(), "not a whole number from 1 to " +
                EventProperty.MAX_LENGTH_CHARS + ", setting=length value=" + length.value(),
                "write a number in that range");
            return new EventProperty(field.name().value(), type);
        }
    }

    private CqlType type(final Located name)
    {
        final CqlType type = CqlType.byName(name.value());
        if (type != null)
        {
            return type;
        }
        try
        {
            final Class<?> javaClass = ClassUtils.forName(name.value(), classLoader);
            return BeanType.typeOf(javaClass);
        }
        catch (final ClassNotFoundException | LinkageError e)
        {
            if (cartridges.type(name.value()) != null)
            {
                return CqlType.OBJECT;
            }
            final List<String> names = Arrays.stream(CqlType.values()).map(CqlType::cqlName).toList();
            problems.add(AssemblyErrorCode.BAD_EVENT_TYPE, name.position(),
                "neither a CQL type nor a class that the application can load, type=" + name.value(),
                Suggestions.hint(name.value(), "CQL types", names));
            return null;
        }
    }

    private EventType bean(final EventTypeDeclaration declaration)
    {
        final Located name = declaration.beanClass();
        final Class<?> beanClass = loadClass(name, "event type=" + declaration.name());
        if (beanClass == null)
        {
            return null;
        }
        try
        {
            return BeanType.of(declaration.name(), beanClass);
        }
        catch (final IllegalArgumentException e)
        {
            problems.add(AssemblyErrorCode.BAD_EVENT_TYPE, name.position(), e.getMessage() + ", type=" +
                declaration.name() + " class=" + name.value(),
                "make it a JavaBean, or declare the type with <wlevs:properties>");
            return null;
        }
    }

    /** Loads a class of the application; {@code null} after reporting a problem. */
    Class<?> loadClass(final Located name, final String what)
    {
        try
        {
            return ClassUtils.forName(name.value(), classLoader);
        }
        catch (final ClassNotFoundException | LinkageError e)
        {
            problems.add(AssemblyErrorCode.UNKNOWN_CLASS, name.position(),
                "the application cannot load the class, class=" +
                name.value() + " " + what + " reason=" + e,
                "correct the name; a class of another bundle needs an Import-Package");
            return null;
        }
    }
}
