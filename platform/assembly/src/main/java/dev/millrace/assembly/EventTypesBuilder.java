package dev.millrace.assembly;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.assembly.epn.EventTypeDeclaration;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Located;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.util.ClassUtils;

/**
 * Creates event types from their declarations; classes are loaded by the application's class loader. Not thread-safe.
 */
final class EventTypesBuilder
{
    private final Problems problems;
    private final ClassLoader classLoader;

    EventTypesBuilder(final Problems problems, final ClassLoader classLoader)
    {
        this.problems = problems;
        this.classLoader = classLoader;
    }

    EventTypes build(final Collection<EventTypeDeclaration> declarations)
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
        return new EventTypes(types);
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
            return typeOf(javaClass);
        }
        catch (final ClassNotFoundException | LinkageError e)
        {
            final List<String> names = Arrays.stream(CqlType.values()).map(CqlType::cqlName).toList();
            problems.add(AssemblyErrorCode.BAD_EVENT_TYPE, name.position(),
                "neither a CQL type nor a class that the application can load, type=" + name.value(),
                Suggestions.hint(name.value(), "CQL types", names));
            return null;
        }
    }

    private static CqlType typeOf(final Class<?> javaClass)
    {
        final Class<?> wrapper = ClassUtils.resolvePrimitiveIfNecessary(javaClass);
        final CqlType type = CqlType.byName(wrapper == byte[].class ? "byte[]" : wrapper.getName());
        return type == null ? CqlType.OBJECT : type;
    }

    private EventType bean(final EventTypeDeclaration declaration)
    {
        final Located name = declaration.beanClass();
        final Class<?> beanClass = loadClass(name, "event type=" + declaration.name());
        if (beanClass == null)
        {
            return null;
        }
        final List<EventProperty> properties = new ArrayList<>();
        for (final Map.Entry<String, Method> getter : accessors(beanClass).entrySet())
        {
            properties.add(new EventProperty(getter.getKey(), typeOf(getter.getValue().getReturnType())));
        }
        String wrong = null;
        if (properties.isEmpty())
        {
            wrong = "the class has no property with a public getter and a public setter";
        }
        else if (!Modifier.isPublic(beanClass.getModifiers()) || Modifier.isAbstract(beanClass.getModifiers()))
        {
            wrong = "the class of events must be public and not abstract";
        }
        else if (!Modifier.isPublic(constructorModifiers(beanClass)))
        {
            wrong = "the class of events needs a public constructor without arguments";
        }
        if (wrong != null)
        {
            problems.add(AssemblyErrorCode.BAD_EVENT_TYPE, name.position(), wrong + ", type=" + declaration.name() +
                " class=" + name.value(), "make it a JavaBean, or declare the type with <wlevs:properties>");
            return null;
        }
        return new EventType(declaration.name(), EventType.Kind.BEAN, properties, beanClass);
    }

    private static int constructorModifiers(final Class<?> beanClass)
    {
        return Arrays.stream(beanClass.getDeclaredConstructors())
            .filter(constructor -> constructor.getParameterCount() == 0)
            .mapToInt(constructor -> constructor.getModifiers()).findFirst().orElse(Modifier.PRIVATE);
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

    /** Getters of the properties that also have a setter: in order of the fields, then others by name. */
    private static Map<String, Method> accessors(final Class<?> beanClass)
    {
        final Map<String, Method> byName = new TreeMap<>();
        for (final Method method : beanClass.getMethods())
        {
            final String property = propertyOf(method);
            if (property != null && hasSetter(beanClass, method))
            {
                byName.put(property, method);
            }
        }
        final Map<String, Method> ordered = new LinkedHashMap<>();
        final List<Class<?>> classes = new ArrayList<>();
        for (Class<?> type = beanClass; type != null; type = type.getSuperclass())
        {
            classes.add(0, type);
        }
        for (final Class<?> type : classes)
        {
            for (final Field field : type.getDeclaredFields())
            {
                if (byName.containsKey(field.getName()))
                {
                    ordered.put(field.getName(), byName.remove(field.getName()));
                }
            }
        }
        ordered.putAll(byName);
        return ordered;
    }

    private static String propertyOf(final Method method)
    {
        if (method.getParameterCount() != 0 || Modifier.isStatic(method.getModifiers()) ||
            method.getDeclaringClass() == Object.class || method.isBridge())
        {
            return null;
        }
        final String name = method.getName();
        if (name.length() > 3 && name.startsWith("get") && method.getReturnType() != void.class)
        {
            return decapitalize(name.substring(3));
        }
        final boolean truth = method.getReturnType() == boolean.class;
        return truth && name.length() > 2 && name.startsWith("is") ? decapitalize(name.substring(2)) : null;
    }

    /** By the rules of JavaBeans: URL stays URL. */
    private static String decapitalize(final String name)
    {
        final boolean acronym =
            name.length() > 1 && Character.isUpperCase(name.charAt(0)) && Character.isUpperCase(name.charAt(1));
        return acronym ? name : Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    private static boolean hasSetter(final Class<?> beanClass, final Method getter)
    {
        final int prefix = getter.getName().startsWith("is") ? 2 : 3;
        return ClassUtils.hasMethod(beanClass, "set" + getter.getName().substring(prefix), getter.getReturnType());
    }
}
