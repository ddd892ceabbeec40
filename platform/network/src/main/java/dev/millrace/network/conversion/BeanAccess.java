package dev.millrace.network.conversion;

import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventRejectedException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;

/** Constructor, getters and setters of a bean class as method handles, in column order. Immutable. */
final class BeanAccess
{
    private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);
    private static final MethodType SETTER = MethodType.methodType(void.class, Object.class, Object.class);

    private final EventType type;
    private final MethodHandle constructor;
    private final MethodHandle[] getters;
    private final MethodHandle[] setters;
    private final Class<?>[] setterTypes;
    private final List<String> getterProblems = new ArrayList<>();
    private final List<String> setterProblems = new ArrayList<>();

    BeanAccess(final EventType type)
    {
        this.type = type;
        final int count = type.properties().size();
        getters = new MethodHandle[count];
        setters = new MethodHandle[count];
        setterTypes = new Class<?>[count];
        constructor = findConstructor();
        for (int i = 0; i < count; i++)
        {
            final EventProperty property = type.properties().get(i);
            getters[i] = findGetter(property.name());
            setters[i] = findSetter(property.name(), i);
        }
    }

    List<String> getterProblems()
    {
        return Collections.unmodifiableList(getterProblems);
    }

    List<String> setterProblems()
    {
        return Collections.unmodifiableList(setterProblems);
    }

    /** Reads a property; an exception of the getter rejects the event. */
    Object get(final Object bean, final int column) throws EventRejectedException
    {
        if (getters[column] == null)
        {
            throw new EventRejectedException(String.join("; ", getterProblems));
        }
        try
        {
            return (Object)getters[column].invokeExact(bean);
        }
        catch (final Throwable e)
        {
            throw new EventRejectedException("getter failed, class=" + type.beanClass().getName() + " property=" +
                type.properties().get(column).name() + " reason=" + e, e);
        }
    }

    Object create()
    {
        if (!setterProblems.isEmpty())
        {
            throw new IllegalStateException(String.join("; ", setterProblems));
        }
        try
        {
            return (Object)constructor.invokeExact();
        }
        catch (final Throwable e)
        {
            throw new IllegalStateException(
                "constructor failed, class=" + type.beanClass().getName() + " reason=" + e, e);
        }
    }

    /** Sets a property; null leaves a primitive property at its initial value. */
    void set(final Object bean, final int column, final Object value)
    {
        final Class<?> wanted = setterTypes[column];
        if (value == null && wanted.isPrimitive())
        {
            return;
        }
        try
        {
            setters[column].invokeExact(bean, convert(value, wanted));
        }
        catch (final Throwable e)
        {
            throw new IllegalStateException("setter failed, class=" + type.beanClass().getName() + " property=" +
                type.properties().get(column).name() + " value=" + value + " reason=" + e, e);
        }
    }

    private static Object convert(final Object value, final Class<?> wanted) throws ReflectiveOperationException
    {
        if (value instanceof Number number)
        {
            if (wanted == int.class || wanted == Integer.class)
            {
                return Math.toIntExact(number.longValue());
            }
            if (wanted == long.class || wanted == Long.class)
            {
                return number.longValue();
            }
            if (wanted == float.class || wanted == Float.class)
            {
                return number.floatValue();
            }
            if (wanted == double.class || wanted == Double.class)
            {
                return number.doubleValue();
            }
            if (wanted == Instant.class || Date.class.isAssignableFrom(wanted))
            {
                final Instant instant = Instant.ofEpochSecond(0, number.longValue());
                // Date.from and java.sql.Timestamp.from; no compile-time need of java.sql.
                return wanted == Instant.class ? instant :
                    wanted.getMethod("from", Instant.class).invoke(null, instant);
            }
            if (wanted == Duration.class)
            {
                return Duration.ofNanos(number.longValue());
            }
        }
        if (value instanceof String text && (wanted == char.class || wanted == Character.class))
        {
            return text.charAt(0);
        }
        return value;
    }

    private MethodHandle findConstructor()
    {
        try
        {
            return MethodHandles.publicLookup().unreflectConstructor(type.beanClass().getConstructor())
                .asType(MethodType.methodType(Object.class));
        }
        catch (final ReflectiveOperationException e)
        {
            setterProblems.add("bean class has no public constructor without parameters, class=" +
                type.beanClass().getName());
            return null;
        }
    }

    private MethodHandle findGetter(final String property)
    {
        for (final Method method : type.beanClass().getMethods())
        {
            final String name = method.getName();
            if (method.getParameterCount() == 0 && method.getReturnType() != void.class &&
                (name.equalsIgnoreCase("get" + property) || name.equalsIgnoreCase("is" + property)))
            {
                return handle(method, GETTER, getterProblems);
            }
        }
        getterProblems.add("bean class has no getter, class=" + type.beanClass().getName() + " property=" + property);
        return null;
    }

    private MethodHandle findSetter(final String property, final int column)
    {
        for (final Method method : type.beanClass().getMethods())
        {
            if (method.getParameterCount() == 1 && method.getName().equalsIgnoreCase("set" + property))
            {
                setterTypes[column] = method.getParameterTypes()[0];
                return handle(method, SETTER, setterProblems);
            }
        }
        setterProblems.add("bean class has no setter, class=" + type.beanClass().getName() + " property=" + property);
        return null;
    }

    private MethodHandle handle(final Method method, final MethodType shape, final List<String> problems)
    {
        try
        {
            return MethodHandles.publicLookup().unreflect(method).asType(shape);
        }
        catch (final IllegalAccessException e)
        {
            problems.add("bean class or its method is not public, class=" + type.beanClass().getName() +
                " method=" + method.getName());
            return null;
        }
    }
}
