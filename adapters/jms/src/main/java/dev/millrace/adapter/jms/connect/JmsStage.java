package dev.millrace.adapter.jms.connect;

import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.EventObjects;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import dev.millrace.api.time.Clock;

/**
 * What sources and sinks of messages share: the properties of the connection, and the context of the stage. Confined to
 * the managing thread.
 */
public abstract class JmsStage implements Adapter, StageContextAware
{
    private final ConnectionProperties connection;
    private StageContext context;

    /** @param connection receives the properties */
    protected JmsStage(final ConnectionProperties connection)
    {
        this.connection = connection;
    }

    /** A connection factory of the application. */
    public final void setConnectionFactory(final Object factory)
    {
        connection.connectionFactory = factory;
    }

    /** The class of the connection factory. */
    public final void setConnectionFactoryClass(final String name)
    {
        connection.connectionFactoryClass = name;
    }

    /** Values of setters of the connection factory: {@code name=value;name=value}. */
    public final void setConnectionFactoryProperties(final String pairs)
    {
        connection.connectionFactoryProperties = pairs;
    }

    /** The argument of the constructor of the connection factory. */
    public final void setBrokerUrl(final String url)
    {
        connection.brokerUrl = url;
    }

    /** The class of the JNDI implementation. */
    public final void setJndiFactory(final String name)
    {
        connection.jndiFactory = name;
    }

    /** Where JNDI looks names up. */
    public final void setJndiProviderUrl(final String url)
    {
        connection.jndiProviderUrl = url;
    }

    /** Further properties of JNDI: {@code name=value;name=value}. */
    public final void setJndiProperties(final String pairs)
    {
        connection.jndiProperties = pairs;
    }

    /** The JNDI name of the connection factory. */
    public final void setConnectionJndiName(final String name)
    {
        connection.connectionJndiName = name;
    }

    /** The JNDI name of the destination. */
    public final void setDestinationJndiName(final String name)
    {
        connection.destinationJndiName = name;
    }

    /** The broker's name of the destination. */
    public final void setDestinationName(final String name)
    {
        connection.destinationName = name;
    }

    /** {@code QUEUE} or {@code TOPIC}; required with the broker's name. */
    public final void setDestinationType(final String type)
    {
        connection.destinationType = type;
    }

    /** The user of JNDI, and of the connection unless that has its own. */
    public final void setUser(final String name)
    {
        connection.user = name;
    }

    /** The user's password. */
    public final void setPassword(final String password)
    {
        connection.password = password;
    }

    /** The user's password, as {@code millrace secret encrypt} prints it. */
    public final void setEncryptedPassword(final String password)
    {
        connection.encryptedPassword = password;
    }

    /** The name of the secret of config.xml that is the user's password. */
    public final void setPasswordSecret(final String name)
    {
        connection.passwordSecret = name;
    }

    /** The user of the connection. */
    public final void setConnectionUser(final String name)
    {
        connection.connectionUser = name;
    }

    /** The password of the user of the connection. */
    public final void setConnectionPassword(final String password)
    {
        connection.connectionPassword = password;
    }

    /** The password of the user of the connection, as {@code millrace secret encrypt} prints it. */
    public final void setConnectionEncryptedPassword(final String password)
    {
        connection.connectionEncryptedPassword = password;
    }

    /** The name of the secret of config.xml that is the password of the user of the connection. */
    public final void setConnectionPasswordSecret(final String name)
    {
        connection.connectionPasswordSecret = name;
    }

    /** The id of the connection, for subscriptions that are not shared. */
    public final void setClientId(final String id)
    {
        connection.clientId = id;
    }

    /** Has no effect, with a warning. */
    public final void setWorkManager(final String name)
    {
        connection.ignore("workManager", name);
    }

    /** Has no effect, with a warning. */
    public final void setWorkManagerName(final String name)
    {
        connection.ignore("workManagerName", name);
    }

    /** Has no effect, with a warning. */
    public final void setConcurrentConsumers(final String count)
    {
        connection.ignore("concurrentConsumers", count);
    }

    /** Has no effect, with a warning. */
    public final void setConnectionCount(final String count)
    {
        connection.ignore("connectionCount", count);
    }

    @Override
    public final void setStageContext(final StageContext given)
    {
        context = given;
    }

    /** The context; {@code null} without a network. */
    protected final StageContext context()
    {
        return context;
    }

    /** The name of the application. */
    protected final String applicationName()
    {
        return context == null ? "application" : context.applicationName();
    }

    /** The id of the stage, or another one without a network. */
    protected final String stageId(final String other)
    {
        return context == null ? other : context.stageId();
    }

    /** The event types of the application; {@code null} without a network. */
    protected final EventTypeRepository eventTypes()
    {
        return context == null ? null : context.eventTypes();
    }

    /** Receives the conditions of the stage. */
    protected final StageConditions conditions()
    {
        return context == null ? StageConditions.NONE : context.conditions();
    }

    /** The clock of the network. */
    protected final Clock clock()
    {
        return context == null ? Clock.SYSTEM : context.clock();
    }

    /** The conversion of rows to objects; {@code null} without a network. */
    protected final EventObjects objects(final BatchSchema schema)
    {
        return context == null ? null : context.objects(schema);
    }

    /** Validates further properties. */
    protected static PropertyCheck check(final String stageName)
    {
        return new PropertyCheck(JmsErrorCode.PROPERTY, stageName);
    }
}
