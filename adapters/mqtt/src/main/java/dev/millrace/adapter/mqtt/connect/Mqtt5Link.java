package dev.millrace.adapter.mqtt.connect;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientBuilder;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5PubRecException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5SubAckException;
import com.hivemq.client.mqtt.mqtt5.message.auth.Mqtt5SimpleAuth;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5ConnectBuilder;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAckReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5RetainHandling;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A connection with MQTT 5. */
final class Mqtt5Link extends MqttLink
{
    private final Mqtt5AsyncClient client;

    Mqtt5Link(final ConnectionSettings settings)
    {
        super(settings);
        Mqtt5ClientBuilder builder = MqttClient.builder().useMqttVersion5().identifier(settings.clientId())
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
        final Mqtt5ConnectBuilder connect = Mqtt5Connect.builder().cleanStart(settings.isCleanStart())
            .sessionExpiryInterval(settings.sessionExpirySec()).keepAlive(settings.keepAliveSec())
            .restrictions().receiveMaximum(settings.receiveMaximum()).applyRestrictions();
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

    private Mqtt5SimpleAuth auth()
    {
        return settings.password() == null ? Mqtt5SimpleAuth.builder().username(settings.user()).build() :
            Mqtt5SimpleAuth.builder().username(settings.user())
                .password(settings.password().getBytes(StandardCharsets.UTF_8)).build();
    }

    private static Mqtt5Publish message(final Outgoing message)
    {
        return Mqtt5Publish.builder().topic(message.topic()).payload(message.payload())
            .qos(MqttQos.fromCode(message.qos())).retain(message.isRetained()).build();
    }

    @Override
    CompletableFuture<?> startSubscribe(final String filter, final int qos)
    {
        // A shared subscription must not ask for retained messages at a certain time.
        return filter.startsWith("$share/") ?
            client.subscribeWith().topicFilter(filter).qos(MqttQos.fromCode(qos)).send() :
            client.subscribeWith().topicFilter(filter).qos(MqttQos.fromCode(qos))
                .retainHandling(Mqtt5RetainHandling.SEND_IF_SUBSCRIPTION_DOES_NOT_EXIST).send();
    }

    @Override
    public CompletableFuture<?> publish(final Outgoing message)
    {
        return client.publish(message(message)).thenCompose(Mqtt5Link::result);
    }

    private static CompletableFuture<?> result(final Mqtt5PublishResult result)
    {
        return result.getError().<CompletableFuture<?>>map(CompletableFuture::failedFuture)
            .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    @Override
    CompletableFuture<?> startDisconnect()
    {
        return client.disconnect();
    }

    @Override
    boolean isLogin(final Throwable failed)
    {
        if (!(failed instanceof final Mqtt5ConnAckException refused))
        {
            return false;
        }
        final Mqtt5ConnAckReasonCode reason = refused.getMqttMessage().getReasonCode();
        return reason == Mqtt5ConnAckReasonCode.NOT_AUTHORIZED ||
            reason == Mqtt5ConnAckReasonCode.BAD_USER_NAME_OR_PASSWORD;
    }

    @Override
    boolean isRefusal(final Throwable failed)
    {
        return failed instanceof Mqtt5SubAckException || failed instanceof Mqtt5PubAckException ||
            failed instanceof Mqtt5PubRecException;
    }
}
