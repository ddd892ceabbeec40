package dev.millrace.network.conversion;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The event types of JavaBeans. Stateless; thread-safe. */
public final class BeanType
{
    private BeanType()
    {
    }

    /**
     * Creates the event type of a class: its properties are those with a public getter and a public setter, in order of
     * the fields, then others by name.
     *
     * @param name of the type
     * @return the type
     * @throws IllegalArgumentException if the class is no JavaBean; the message is the fact, without position or hint
     */
    public static EventType of(final String name, final Class<?> beanClass)
    {
        final List<EventProperty> properties = new ArrayList<>();
        for (final Map.Entry<String, Method> getter : getters(beanClass).entrySet())
        {
            properties.add(new EventProperty(getter.getKey(), typeOf(getter.getValue().getReturnType())));
        }
        if (properties.isEmpty())
        {
            throw new IllegalArgumentException("the class has no property with a public getter and a public setter");
        }
        if (!Modifier.isPublic(beanClass.getModifiers()) || Modifier.isAbstract(beanClass.getModifiers()))
        {
            throw new IllegalArgumentException("the class of events must be public and not abstract");
        }
        if (Arrays.stream(beanClass.getConstructors()).noneMatch(constructor -> constructor.getParameterCount() == 0))
        {
            throw new IllegalArgumentException("the class of events needs a public constructor without arguments");
        }
        return new EventType(name, EventType.Kind.BEAN, properties, beanClass);
    }

    /** The CQL type of the values of a Java class. */
    public static CqlType typeOf(final Class<?> javaClass)
    {
        final Class<?> wrapper = MethodType.methodType(javaClass).wrap().returnType();
        final CqlType type = CqlType.byName(wrapper == byte[].class ? "byte[]" : wrapper.getName());
        return type == null ? CqlType.OBJECT : type;
    }

    private static Map<String, Method> getters(final Class<?> beanClass)
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
        final String setter = "set" + getter.getName().substring(getter.getName().startsWith("is") ? 2 : 3);
        return Arrays.stream(beanClass.getMethods()).anyMatch(method -> method.getName().equals(setter) &&
            Arrays.equals(method.getParameterTypes(), new Class<?>[] {getter.getReturnType()}));
    }
}
