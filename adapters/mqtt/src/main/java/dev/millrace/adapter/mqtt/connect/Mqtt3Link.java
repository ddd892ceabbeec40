package dev.millrace.adapter.mqtt.connect;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt3.Mqtt3AsyncClient;
import com.hivemq.client.mqtt.mqtt3.Mqtt3ClientBuilder;
import com.hivemq.client.mqtt.mqtt3.exceptions.Mqtt3ConnAckException;
import com.hivemq.client.mqtt.mqtt3.exceptions.Mqtt3SubAckException;
import com.hivemq.client.mqtt.mqtt3.message.auth.Mqtt3SimpleAuth;
import com.hivemq.client.mqtt.mqtt3.message.connect.Mqtt3Connect;
import com.hivemq.client.mqtt.mqtt3.message.connect.Mqtt3ConnectBuilder;
import com.hivemq.client.mqtt.mqtt3.message.connect.connack.Mqtt3ConnAckReturnCode;
import com.hivemq.client.mqtt.mqtt3.message.publish.Mqtt3Publish;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A connection with MQTT 3.1.1. */
final class Mqtt3Link extends MqttLink
{
    private final Mqtt3AsyncClient client;

    Mqtt3Link(final ConnectionSettings settings)
    {
        super(settings);
        Mqtt3ClientBuilder builder = MqttClient.builder().useMqttVersion3().identifier(settings.clientId())
            .serverHost(settings.host()).serverPort(settings.port())
            .addDisconnectedListener(ended -> ended(ended.getCause()));
        builder = settings.isTls() ? builder.sslWithDefaultConfig() : builder;
        client = builder.buildAsync();
    }

    @Override
    CompletableFuture<?> start(final Consumer<Incoming> receiver)
    {
        if (receiver != null)
        {
            client.publishes(MqttGlobalPublishFilter.ALL, message -> receiver.accept(new Incoming(
                message.getTopic().toString(), message.getPayloadAsBytes(), message::acknowledge)), executor, true);
        }
        final Mqtt3ConnectBuilder connect = Mqtt3Connect.builder().cleanSession(settings.isCleanStart())
            .keepAlive(settings.keepAliveSec());
        if (settings.user() != null)
        {
            connect.simpleAuth(auth());
        }
        if (settings.will() != null)
        {
            connect.willPublish(message(settings.will()));
        }
        return client.connect(connect.build());
    }

    private Mqtt3SimpleAuth auth()
    {
        return settings.password() == null ? Mqtt3SimpleAuth.builder().username(settings.user()).build() :
            Mqtt3SimpleAuth.builder().username(settings.user())
                .password(settings.password().getBytes(StandardCharsets.UTF_8)).build();
    }

    private static Mqtt3Publish message(final Outgoing message)
    {
        return Mqtt3Publish.builder().topic(message.topic()).payload(message.payload())
            .qos(MqttQos.fromCode(message.qos())).retain(message.isRetained()).build();
    }

    @Override
    CompletableFuture<?> startSubscribe(final String filter, final int qos)
    {
        return client.subscribeWith().topicFilter(filter).qos(MqttQos.fromCode(qos)).send();
    }

    @Override
    public CompletableFuture<?> publish(final Outgoing message)
    {
        return client.publish(message(message));
    }

    @Override
    CompletableFuture<?> startDisconnect()
    {
        return client.disconnect();
    }

    @Override
    boolean isLogin(final Throwable failed)
    {
        if (!(failed instanceof final Mqtt3ConnAckException refused))
        {
            return false;
        }
        final Mqtt3ConnAckReturnCode reason = refused.getMqttMessage().getReturnCode();
        return reason == Mqtt3ConnAckReturnCode.NOT_AUTHORIZED ||
            reason == Mqtt3ConnAckReturnCode.BAD_USER_NAME_OR_PASSWORD;
    }

    @Override
    boolean isRefusal(final Throwable failed)
    {
        return failed instanceof Mqtt3SubAckException;
    }
}
