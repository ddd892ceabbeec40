package dev.millrace.adapter.http.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.http.TestStage;
import dev.millrace.adapter.http.api.InboundMessageConverter;
import dev.millrace.adapter.http.api.MessageConverterException;
import dev.millrace.adapter.http.api.OutboundMessageConverter;
import dev.millrace.adapter.http.inbound.Receiver;
import dev.millrace.api.http.ChannelLimits;
import dev.millrace.api.stage.BatchRejectedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Converters of the application at sources and sinks. */
@Timeout(60)
class ConverterTest
{
    private final Receiver receiver = new Receiver(TestStage.TICK);

    private static Map<String, Object> tick(final Object id)
    {
        return Map.of("id", id, "symbol", "S", "price", 0.5);
    }

    private RunningChannelSource source(final RunningChannels channels, final InboundMessageConverter converter)
        throws Exception
    {
        final RunningChannelSource source = new RunningChannelSource(new TestStage(TestStage.TICK), receiver,
            channels.pool, each ->
            {
                each.setChannel("/open/orders");
                each.setConverterBean(converter);
            });
        channels.await("subscription", () -> source.figures().get("subscriptions").equals(1L));
        return source;
    }

    @Test
    void shouldReceiveTheEventsOfTheConverter() throws Exception
    {
        final List<Map<String, Object>> converted = Collections.synchronizedList(new ArrayList<>());
        try (RunningChannels channels = new RunningChannels(); RunningChannelSource source = source(channels, message ->
        {
            converted.add(message);
            return ((List<?>)message.get("ids")).stream().map(ConverterTest::tick).toList();
        }))
        {
            final WebSocketClient socket = channels.add(new WebSocketClient(channels.uri("ws", "/ws/open/orders")));
            socket.send("{\"ids\":[1,2],\"nested\":{\"a\":[true,null,1.5,\"x\"]}}");
            socket.send("[{\"ids\":[]},{\"ids\":[9007199254740993]}]");
            channels.await("rows", () -> source.figures().get("rows").equals(3L));
            assertThat(receiver.ids()).containsExactly(1L, 2L, 9_007_199_254_740_993L);
            assertThat(receiver.rows().get(0)).isEqualTo(List.of(1L, "S", 0.5));
            assertThat(converted.get(0)).isEqualTo(Map.of("ids", List.of(1L, 2L), "nested",
                Map.of("a", Arrays.asList(true, null, 1.5, "x"))));
            assertThat(source.figures()).containsEntry("rejected", 0L);
        }
    }

    @Test
    void shouldRejectAndCountMessagesThatConverterDoesNotConvert() throws Exception
    {
        try (RunningChannels channels = new RunningChannels(); RunningChannelSource source = source(channels, message ->
        {
            switch (String.valueOf(message.get("kind")))
            {
                case "checked" -> throw new MessageConverterException("no such order");
                case "runtime" -> throw new IllegalStateException("defect of the converter");
                case "type" ->
                {
                    return List.of(tick(1L), tick("text"), tick(2L));
                }
                case "null" ->
                {
                    return Collections.singletonList(null);
                }
                case "nothing" ->
                {
                    return null;
                }
                default ->
                {
                    return List.of(tick(3L));
                }
            }
        }))
        {
            final WebSocketClient socket = channels.add(new WebSocketClient(channels.uri("ws", "/ws/open/orders")));
            List.of("checked", "runtime", "type", "null", "nothing", "good")
                .forEach(kind -> socket.send("{\"kind\":\"" + kind + "\"}"));
            channels.await("rows", () -> source.figures().get("rows").equals(3L));
            assertThat(receiver.ids()).containsExactly(1L, 2L, 3L);
            assertThat(source.figures()).containsEntry("messages", 6L).containsEntry("rejected", 4L)
                .extractingByKey("lastRejected").asString().contains("converter-failed", "no such order",
                "defect of the converter", "wrong-event", "{\"kind\":\"checked\"}");
        }
    }

    private static RunningChannels publishing(final OutboundMessageConverter converter) throws Exception
    {
        return new RunningChannels(ChannelLimits.STANDARD, List.of(),
            sink -> sink.setConverterBean(converter));
    }

    private static long id(final Object event)
    {
        return (Long)((Map<?, ?>)event).get("id");
    }

    @Test
    void shouldPublishTheMessagesOfTheConverter() throws Exception
    {
        try (RunningChannels channels = publishing(event ->
        {
            final Map<String, Object> message = new LinkedHashMap<>();
            message.put("order", id(event));
            message.put("tags", Arrays.asList("<a>", null, true));
            return id(event) == 2 ? List.of() : List.of(message, Map.of("copy", id(event)));
        }))
        {
            final WebSocketClient socket = channels.add(new WebSocketClient(channels.uri("ws", "/ws/ticks")));
            channels.awaitSubscribers(1);
            channels.publish(3);
            assertThat(socket.next()).isEqualTo("{\"order\":1,\"tags\":[\"<a>\",null,true]}");
            assertThat(socket.next()).isEqualTo("{\"copy\":1}");
            assertThat(socket.next()).isEqualTo("{\"order\":3,\"tags\":[\"<a>\",null,true]}");
            assertThat(socket.next()).isEqualTo("{\"copy\":3}");
            assertThat(channels.figures()).containsEntry("rows", 3L).containsEntry("messages", 4L)
                .containsEntry("rejected", 0L);
        }
    }

    @Test
    void shouldCountRowsThatConverterIgnores() throws Exception
    {
        try (RunningChannels channels = publishing(event -> List.of()))
        {
            channels.publish(3);
            assertThat(channels.figures()).containsEntry("rows", 3L).containsEntry("messages", 0L);
        }
    }

    @Test
    void shouldRejectAndCountRowsThatConverterDoesNotConvert() throws Exception
    {
        try (RunningChannels channels = publishing(event -> switch ((int)id(event))
        {
            case 1 -> throw new MessageConverterException("no such order");
            case 2 -> throw new IllegalStateException("defect of the converter");
            case 3 -> List.of(Map.of("id", 3), Map.of("price", Double.NaN));
            case 4 -> null;
            case 5 -> Collections.singletonList(null);
            default -> List.of(Map.of("id", id(event)));
        }))
        {
            final WebSocketClient socket = channels.add(new WebSocketClient(channels.uri("ws", "/ws/ticks")));
            channels.awaitSubscribers(1);
            assertThatThrownBy(() -> channels.publish(6)).isInstanceOf(BatchRejectedException.class)
                .hasMessageContaining("HTP-0304")
                .satisfies(e -> assertThat(((BatchRejectedException)e).rejected()).hasSize(5));
            assertThat(socket.next()).isEqualTo("{\"id\":6}");
            assertThat(channels.figures()).containsEntry("rows", 1L).containsEntry("messages", 1L)
                .containsEntry("rejected", 5L).extractingByKey("lastRejected").asString()
                .contains("no such order", "defect of the converter", "NaN", "returned null");
        }
    }

    @Test
    void shouldRefuseBeansThatAreNoConverters() throws Exception
    {
        try (RunningChannels channels = new RunningChannels())
        {
            final ChannelSink sink = new ChannelSink(RunningChannels.SECRETS, channels.pool);
            sink.setChannel("/ticks");
            sink.setConverterBean((InboundMessageConverter)message -> List.of());
            assertThatThrownBy(sink::afterPropertiesSet).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("HTP-0101").hasMessageContaining(OutboundMessageConverter.class.getName());
            final ChannelSource source = new ChannelSource(RunningChannels.SECRETS, channels.pool);
            source.setChannel("/ticks");
            source.setConverterBean((OutboundMessageConverter)event -> List.of());
            assertThatThrownBy(source::afterPropertiesSet).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("HTP-0101").hasMessageContaining(InboundMessageConverter.class.getName());
        }
    }
}
