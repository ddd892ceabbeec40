package dev.millrace.adapter.jms.connect;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Session;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import javax.naming.AuthenticationException;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactory;

/**
 * Creates connections. The classes of the provider are looked up for each of them, because their bundle can be
 * installed later. Confined to one thread. Failure: {@link ConnectException} with code and next step.
 */
public final class Connector
{
    private final String stageName;
    private final ConnectionSettings settings;
    private final ProviderClasses classes;

    /** @param stageName application and stage, for messages */
    public Connector(final String stageName, final ConnectionSettings settings, final ProviderClasses classes)
    {
        this.stageName = stageName;
        this.settings = settings;
        this.classes = classes;
    }

    /**
     * Connects and creates a session.
     *
     * @param mode         {@code Session.SESSION_TRANSACTED} or another mode
     * @param destinations to look up, in order
     */
    public JmsLink connect(final int mode, final List<DestinationSettings> destinations) throws ConnectException
    {
        final Thread thread = Thread.currentThread();
        final ClassLoader before = thread.getContextClassLoader();
        Connection connection = null;
        try
        {
            final Context names = settings.jndiFactory() == null ? null : names(thread);
            final ConnectionFactory factory = names == null ? factory(thread) :
                cast(ConnectionFactory.class, names.lookup(settings.connectionName()), settings.connectionName());
            connection = settings.user() == null ? factory.createConnection() :
                factory.createConnection(settings.user(), settings.password());
            if (settings.clientId() != null)
            {
                connection.setClientID(settings.clientId());
            }
            final Session session = connection.createSession(mode);
            final JmsLink link = new JmsLink(connection, session, destinations(names, session, destinations));
            connection = null;
            return link;
        }
        catch (final JMSException | NamingException | RuntimeException e)
        {
            throw failure(e);
        }
        catch (final LinkageError e)
        {
            throw unusable("of the connection", e);
        }
        finally
        {
            thread.setContextClassLoader(before);
            JmsLink.closeQuietly(connection);
        }
    }

    /** Describes a failure of the connection or of JNDI. */
    public ConnectException failure(final Exception e)
    {
        final String fact = ", stage=" + stageName + " " + settings + " reason=" + e;
        if (e instanceof JMSSecurityException || e instanceof AuthenticationException)
        {
            return new ConnectException(JmsErrorCode.LOGIN, "the broker refuses the user" + fact,
                "correct user and password, or the permissions of the user", e);
        }
        if (e instanceof NameNotFoundException || e instanceof jakarta.jms.InvalidDestinationException)
        {
            return new ConnectException(JmsErrorCode.DESTINATION, "a destination or connection factory does not exist" +
                fact, "create it, or correct its name", e);
        }
        return new ConnectException(JmsErrorCode.AWAY, "the broker is unavailable" + fact,
            "start it, or correct the connection; messages wait until then", e);
    }

    private Destination[] destinations(
        final Context names, final Session session, final List<DestinationSettings> all)
        throws JMSException, NamingException, ConnectException
    {
        final Destination[] found = new Destination[all.size()];
        for (int i = 0; i < found.length; i++)
        {
            final DestinationSettings each = all.get(i);
            found[i] = each.jndiName() != null ?
                cast(Destination.class, names.lookup(each.jndiName()), each.jndiName()) :
                each.isTopic() ? session.createTopic(each.name()) : session.createQueue(each.name());
        }
        return found;
    }

    private Context names(final Thread thread) throws ConnectException, NamingException
    {
        final Hashtable<String, String> environment = new Hashtable<>(settings.jndiProperties());
        environment.put(Context.INITIAL_CONTEXT_FACTORY, settings.jndiFactory());
        put(environment, Context.PROVIDER_URL, settings.jndiUrl());
        put(environment, Context.SECURITY_PRINCIPAL, settings.jndiUser());
        put(environment, Context.SECURITY_CREDENTIALS, settings.jndiPassword());
        final Object made = make(find(settings.jndiFactory(), thread), null);
        return cast(InitialContextFactory.class, made, settings.jndiFactory()).getInitialContext(environment);
    }

    private static void put(final Map<String, String> to, final String name, final String value)
    {
        if (value != null)
        {
            to.put(name, value);
        }
    }

    private ConnectionFactory factory(final Thread thread) throws ConnectException
    {
        if (settings.factoryClass() == null)
        {
            return (ConnectionFactory)settings.factory();
        }
        final Object made = make(find(settings.factoryClass(), thread), settings.factoryUrl());
        for (final Map.Entry<String, String> property : settings.factoryProperties().entrySet())
        {
            set(made, property.getKey(), property.getValue());
        }
        return cast(ConnectionFactory.class, made, settings.factoryClass());
    }

    private Class<?> find(final String name, final Thread thread) throws ConnectException
    {
        final Class<?> found = classes.find(name);
        if (found == null)
        {
            throw new ConnectException(JmsErrorCode.PROVIDER, "no bundle contains the class of the provider, stage=" +
                stageName + " class=" + name, "install the client of the provider as a bundle, or correct the name",
                null);
        }
        // Providers look up further classes by the context class loader.
        thread.setContextClassLoader(found.getClassLoader());
        return found;
    }

    private Object make(final Class<?> type, final String argument) throws ConnectException
    {
        try
        {
            return argument == null ? type.getConstructor().newInstance() :
                type.getConstructor(String.class).newInstance(argument);
        }
        catch (final ReflectiveOperationException | LinkageError e)
        {
            throw unusable(type.getName(), e instanceof InvocationTargetException ? e.getCause() : e);
        }
    }

    private ConnectException unusable(final String name, final Throwable reason)
    {
        return new ConnectException(JmsErrorCode.PROVIDER, "a class of the provider cannot be used, stage=" +
            stageName + " class=" + name + " reason=" + reason, "install all libraries of the provider's client",
            reason);
    }

    private <T> T cast(final Class<T> type, final Object found, final String name) throws ConnectException
    {
        if (!type.isInstance(found))
        {
            throw new ConnectException(JmsErrorCode.PROVIDER, "an object of the provider has a wrong type, stage=" +
                stageName + " name=" + name + " expected=" + type.getName() + " actual=" +
                (found == null ? "null" : found.getClass().getName()), "correct the name; a bundle of the provider " +
                "must import the package jakarta.jms and not contain it", null);
        }
        return type.cast(found);
    }

    private void set(final Object target, final String name, final String value) throws ConnectException
    {
        final String setter = "set" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
        final List<Method> found = Arrays.stream(target.getClass().getMethods())
            .filter(each -> each.getName().equals(setter) && each.getParameterCount() == 1).toList();
        for (final Method each : found)
        {
            final Object converted = convert(value, each.getParameterTypes()[0]);
            if (converted != null)
            {
                try
                {
                    each.invoke(target, converted);
                    return;
                }
                catch (final ReflectiveOperationException e)
                {
                    throw unusable(target.getClass().getName() + "." + setter,
                        e instanceof InvocationTargetException ? e.getCause() : e);
                }
            }
        }
        throw new ConnectException(JmsErrorCode.PROVIDER, "the connection factory has no such property, stage=" +
            stageName + " class=" + target.getClass().getName() + " property=" + name + " value=" + value,
            "correct connectionFactoryProperties", null);
    }

    /** The value as an object of a simple type; {@code null} if it is none. */
    private static Object convert(final String value, final Class<?> type)
    {
        try
        {
            return type == String.class ? value : type == int.class ? (Object)Integer.valueOf(value) :
                type == long.class ? (Object)Long.valueOf(value) :
                type == boolean.class && value.matches("true|false") ? Boolean.valueOf(value) : null;
        }
        catch (final NumberFormatException e)
        {
            return null;
        }
    }
}
