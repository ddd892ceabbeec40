package dev.millrace.adapter.mqtt.connect;

import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import dev.millrace.api.time.Clock;

/**
 * What sources and sinks of messages share: the properties of the connection, and the context of the stage. Confined to
 * the managing thread.
 */
public abstract class MqttStage implements Adapter, StageContextAware
{
    private final ConnectionProperties connection;
    private StageContext context;

    /** @param connection receives the properties */
    protected MqttStage(final ConnectionProperties connection)
    {
        this.connection = connection;
    }

    /** The broker: {@code tcp://HOST:PORT} or {@code ssl://HOST:PORT}. Required. */
    public final void setUrl(final String url)
    {
        connection.url = url;
    }

    /** The version of the protocol: 5 or 3.1.1; default 5. */
    public final void setVersion(final String version)
    {
        connection.version = version;
    }

    /** The id of the session, unique among the clients of the broker; default application and stage. */
    public final void setClientId(final String id)
    {
        connection.clientId = id;
    }

    /** Whether the broker forgets an earlier session; default false. */
    public final void setCleanStart(final boolean clean)
    {
        connection.cleanStart = clean;
    }

    /** How long the broker keeps the session without a connection; default 86400. */
    public final void setSessionExpirySeconds(final long seconds)
    {
        connection.sessionExpirySeconds = seconds;
    }

    /** After which silence the connection is checked; default 30, 0 = never. */
    public final void setKeepAliveSeconds(final int seconds)
    {
        connection.keepAliveSeconds = seconds;
    }

    /** The maximum number of messages that the broker sends without an acknowledgement; default 1000. */
    public final void setReceiveMaximum(final int messages)
    {
        connection.receiveMaximum = messages;
    }

    /** The user; default none. */
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

    /** The topic of the message that the broker publishes if the connection breaks; default none. */
    public final void setWillTopic(final String topic)
    {
        connection.willTopic = topic;
    }

    /** The text of that message; default empty. */
    public final void setWillPayload(final String text)
    {
        connection.willPayload = text;
    }

    /** The QoS of that message; default 0. */
    public final void setWillQos(final int qos)
    {
        connection.willQos = qos;
    }

    /** Whether that message is retained; default false. */
    public final void setWillRetained(final boolean retained)
    {
        connection.willRetained = retained;
    }

    /** How long a response of the broker may take; default 10000. */
    public final void setAnswerMillis(final int millis)
    {
        connection.answerMillis = millis;
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

    /** Validates properties. */
    protected final PropertyCheck check(final String otherId)
    {
        return new PropertyCheck(MqttErrorCode.PROPERTY, context == null ? "application/" + otherId :
            context.applicationName() + '/' + context.stageId());
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
}
