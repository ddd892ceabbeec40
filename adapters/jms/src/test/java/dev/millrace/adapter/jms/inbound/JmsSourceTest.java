package dev.millrace.adapter.jms.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.adapter.jms.Broker;
import dev.millrace.adapter.jms.TestStage;
import dev.millrace.adapter.jms.api.InboundMessageConverter;
import dev.millrace.adapter.jms.api.MessageConverterException;
import dev.millrace.adapter.jms.inbound.RunningSource.Receiver;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.TextMessage;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Messages of a real broker become rows. */
@Tag("slow")
@Timeout(90)
class JmsSourceTest
{
    private static final EventType ALL = EventType.tuple("All", new EventProperty("i", CqlType.INT),
        new EventProperty("l", CqlType.BIGINT), new EventProperty("d", CqlType.DOUBLE),
        new EventProperty("b", CqlType.BOOLEAN), new EventProperty("s", CqlType.CHAR),
        new EventProperty("x", CqlType.BYTE), new EventProperty("n", CqlType.BIGDECIMAL),
        new EventProperty("messageId", CqlType.CHAR));

    @TempDir
    private static Path broken;
    private static Broker broker;
    private static int queues;

    @TempDir
    private Path directory;
    private String queue;

    @BeforeAll
    static void startBroker() throws Exception
    {
        broker = new Broker(broken);
    }

    @AfterAll
    static void stopBroker() throws Exception
    {
        broker.close();
    }

    @BeforeEach
    void chooseQueue()
    {
        queue = "q" + queues++;
    }

    private RunningSource source(final EventType type, final Receiver receiver, final Consumer<JmsSource> properties)
    {
        return new RunningSource(broker, type, receiver, source ->
        {
            source.setDestinationName(queue);
            source.setNumberFile(directory.resolve("numbers").toString());
            properties.accept(source);
        });
    }

    private static String json(final long id)
    {
        return "{\"id\":" + id + ",\"symbol\":\"S\",\"price\":" + id / 4.0 + "}";
    }

    private static List<String> texts(final int from, final int to)
    {
        return IntStream.rangeClosed(from, to).mapToObj(JmsSourceTest::json).toList();
    }

    private static List<Object> ids(final int from, final int to)
    {
        return LongStream.rangeClosed(from, to).<Object>boxed().map(id -> (Object)id).toList();
    }

    @Test
    void shouldReceiveTextsAndBytesAsJson() throws Exception
    {
        broker.send(queue, session -> session.createTextMessage("{\n  \"price\": 0.25,\n  \"id\": 1,\n" +
            "  \"symbol\": \"A\\nä\"\n}\n"), session ->
        {
            final BytesMessage bytes = session.createBytesMessage();
            bytes.writeBytes("{\"id\":2,\"symbol\":\"ß\",\"price\":1}".getBytes(StandardCharsets.UTF_8));
            return bytes;
        });
        try (RunningSource running = source(TestStage.TICK, new Receiver(), source -> { }).start())
        {
            running.awaitRows(2);
            assertThat(running.receiver.rows()).containsExactly(List.of(1L, "A\nä", 0.25), List.of(2L, "ß", 1.0));
            running.awaitCommit();
            running.await("the queue to be empty", () -> broker.depth(queue) == 0);
        }
    }

    @Test
    void shouldReceiveSeveralRowsOfAMessageOfCsvAndRejectOnlyTheWrongOne() throws Exception
    {
        broker.send(queue, session -> session.createTextMessage("1;A;0.25\n2;\"B;b\n;B\";x\n3;C;0.75"));
        try (RunningSource running = source(TestStage.TICK, new Receiver(), source ->
        {
            source.setFormat("csv");
            source.setSeparator(";");
            source.setDeadLetterName(queue + ".dead");
        }).start())
        {
            running.awaitRows(2);
            running.awaitCommit();
            assertThat(running.receiver.rows()).containsExactly(List.of(1L, "A", 0.25), List.of(3L, "C", 0.75));
            assertThat(running.rejections()).singleElement().asString().startsWith("wrong-type JMS-0106");
        }
        final Message dead = broker.receive(queue + ".dead", 1).get(0);
        assertThat(((TextMessage)dead).getText()).isEqualTo("2;\"B;b\n;B\";x");
        assertThat(dead.getStringProperty("millrace_reason")).isEqualTo("wrong-type");
    }

    @Test
    void shouldReceiveTheCharsetOfBytes() throws Exception
    {
        broker.send(queue, session ->
        {
            final BytesMessage bytes = session.createBytesMessage();
            bytes.writeBytes("1,Ä,2\n2,Ö,3\n".getBytes(StandardCharsets.ISO_8859_1));
            return bytes;
        });
        try (RunningSource running = source(TestStage.TICK, new Receiver(), source ->
        {
            source.setFormat("csv");
            source.setCharset("ISO-8859-1");
        }).start())
        {
            running.awaitRows(2);
            assertThat(running.receiver.column(1)).containsExactly("Ä", "Ö");
        }
    }

    @Test
    void shouldReceiveMapsByTheNamesOfPropertiesAndTheIdOfTheMessage() throws Exception
    {
        broker.send(queue, session ->
        {
            final MapMessage map = session.createMapMessage();
            map.setInt("i", 7);
            map.setLong("l", 1L << 40);
            map.setDouble("d", 0.5);
            map.setBoolean("b", true);
            map.setString("s", "text");
            map.setBytes("x", new byte[] {1, 2});
            map.setString("n", "1.50");
            map.setString("other", "ignored");
            return map;
        });
        try (RunningSource running = source(ALL, new Receiver(), source -> source.setMessageIdColumn("messageId"))
            .start())
        {
            running.awaitRows(1);
            final List<Object> row = running.receiver.rows().get(0);
            assertThat(row.subList(0, 5)).containsExactly(7, 1L << 40, 0.5, true, "text");
            assertThat((byte[])row.get(5)).containsExactly(1, 2);
            assertThat(row.get(6)).isEqualTo(new BigDecimal("1.50"));
            assertThat(row.get(7).toString()).startsWith("ID:");
        }
    }

    @Test
    void shouldRefuseObjectsAndOtherMessagesWithoutReadingThem() throws Exception
    {
        broker.send(queue, session ->
        {
            final ObjectMessage object = session.createObjectMessage(new ArrayList<>(List.of("gadget")));
            object.setStringProperty("origin", "test");
            return object;
        }, session -> session.createMessage(), session -> session.createStreamMessage(),
            session -> session.createTextMessage(json(1)));
        try (RunningSource running = source(TestStage.TICK, new Receiver(),
            source -> source.setDeadLetterName(queue + ".dead")).start())
        {
            running.awaitRows(1);
            running.awaitCommit();
            assertThat(running.rejections()).hasSize(3).allMatch(each -> each.startsWith("unsupported-message"));
            assertThat(running.figure("rejected")).isEqualTo(3);
            assertThat(running.figure("deadLetters")).isEqualTo(3);
        }
        final List<Message> dead = broker.receive(queue + ".dead", 3);
        assertThat(dead).hasSize(3);
        assertThat(dead.get(0)).isInstanceOf(ObjectMessage.class);
        assertThat(dead.get(0).getStringProperty("origin")).isEqualTo("test");
        assertThat(dead.get(0).getStringProperty("millrace_reason")).isEqualTo("unsupported-message");
        assertThat(dead.get(0).getStringProperty("millrace_messageId")).startsWith("ID:");
    }

    @Test
    void shouldRejectBrokenMessagesAndReceiveThoseAfterThem() throws Exception
    {
        broker.send(queue, session -> session.createTextMessage("{\"id\":"), session -> session.createTextMessage(),
            session -> session.createTextMessage("{\"id\":\"x\",\"symbol\":\"S\",\"price\":1}"),
            session -> session.createTextMessage("{\"id\":1,\"price\":1}"),
            session -> session.createTextMessage("x".repeat(10 << 20)),
            session -> session.createTextMessage("{\"id\":1,\"symbol\":\"\ud800\",\"price\":1}"), session ->
            {
                final BytesMessage bytes = session.createBytesMessage();
                bytes.writeBytes("{\"id\":1,\"symbol\":\"\u00e4\",\"price\":1}".getBytes(StandardCharsets.ISO_8859_1));
                return bytes;
            }, session -> session.createMapMessage(), session -> session.createTextMessage(json(2)));
        try (RunningSource running = source(TestStage.TICK, new Receiver(), source -> { }).start())
        {
            running.awaitRows(1);
            running.awaitCommit();
            assertThat(running.rejections().stream().map(each -> each.replaceAll(" .*", "")).toList()).containsExactly(
                "broken-json", "empty-message", "wrong-type", "missing-field", "message-too-long", "invalid-bytes",
                "invalid-bytes", "missing-field");
            assertThat(running.receiver.rows()).containsExactly(List.of(2L, "S", 0.5));
            assertThat((List<?>)running.figures().get("lastRejected")).hasSize(8).allSatisfy(each ->
                assertThat((Map<?, ?>)each).hasSize(3));
            running.await("the queue to be empty", () -> broker.depth(queue) == 0);
        }
    }

    @Test
    void shouldCallTheConverterOfTheApplication() throws Exception
    {
        final InboundMessageConverter converter = message ->
        {
            final String text = ((TextMessage)message).getText();
            if (text.equals("bad"))
            {
                throw new MessageConverterException("no number");
            }
            return Stream.of(text.split(",")).map(id -> Map.of("id", id.equals("x") ? id : Long.valueOf(id), "price",
                1.5)).toList();
        };
        broker.sendTexts(queue, List.of("1,2", "bad", "x,3", ""));
        try (RunningSource running = source(TestStage.TICK, new Receiver(), source ->
        {
            source.setConverterBean(converter);
            source.setDeadLetterName(queue + ".dead");
        }).start())
        {
            running.awaitRows(3);
            running.await("the rejections", () -> running.figure("rejected") == 3);
            assertThat(running.receiver.column(0)).containsExactly(1L, 2L, 3L);
            assertThat(running.receiver.column(1)).containsOnlyNulls();
            assertThat(running.rejections().stream().map(each -> each.replaceAll(" .*", "")).toList())
                .containsExactly("converter-failed", "wrong-event", "converter-failed");
        }
    }

    @Test
    void shouldReceiveOnlyWhatTheSelectorAcceptsAndLeaveTheRest() throws Exception
    {
        for (int i = 1; i <= 4; i++)
        {
            final int id = i;
            broker.send(queue, session ->
            {
                final TextMessage text = session.createTextMessage(json(id));
                text.setIntProperty("parity", id % 2);
                return text;
            });
        }
        try (RunningSource running = source(TestStage.TICK, new Receiver(),
            source -> source.setMessageSelector("parity = 0")).start())
        {
            running.awaitRows(2);
            running.awaitCommit();
            assertThat(running.receiver.column(0)).containsExactly(2L, 4L);
            running.await("the others to remain", () -> broker.depth(queue) == 2);
        }
    }

    @Test
    void shouldFindTheFactoryAndTheDestinationByJndi() throws Exception
    {
        broker.sendTexts(queue, texts(1, 3));
        try (RunningSource running = source(TestStage.TICK, new Receiver(), source ->
        {
            source.setConnectionFactoryClass(null);
            source.setBrokerUrl(null);
            source.setJndiFactory("org.apache.activemq.artemis.jndi.ActiveMQInitialContextFactory");
            source.setJndiProviderUrl(broker.url());
            source.setConnectionJndiName("ConnectionFactory");
            source.setDestinationName(null);
            source.setDestinationJndiName("dynamicQueues/" + queue);
        }).start())
        {
            running.awaitRows(3);
            assertThat(running.receiver.column(0)).isEqualTo(ids(1, 3));
        }
    }

    @Test
    void shouldReceiveWhatASharedDurableSubscriptionHasCollected() throws Exception
    {
        final Consumer<JmsSource> topic = source ->
        {
            source.setDestinationType("TOPIC");
            source.setSubscriptionName("sub-" + queue);
            source.setSubscriptionShared(true);
        };
        try (RunningSource running = source(TestStage.TICK, new Receiver(), topic).start())
        {
            running.await("the subscription", () -> (Boolean)running.figures().get("connected"));
        }
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(broker.url());
            JMSContext context = factory.createContext())
        {
            context.createProducer().send(context.createTopic(queue), json(5));
        }
        try (RunningSource running = source(TestStage.TICK, new Receiver(), topic).start())
        {
            running.awaitRows(1);
            assertThat(running.receiver.column(0)).isEqualTo(ids(5, 5));
        }
    }

    @Test
    void shouldAcknowledgeMessagesOnlyWhenTheirRowsAreStored() throws Exception
    {
        final Receiver receiver = new Receiver();
        receiver.isStoring = true;
        receiver.storeAtMost = 60;
        broker.sendTexts(queue, texts(1, 100));
        try (RunningSource running = source(TestStage.TICK, receiver, source ->
        {
            source.setTransactionMessages(50);
            source.setStoredMillis(200);
        }).start())
        {
            running.await("the rows that are not stored", () -> running.stage.raised.containsKey("JMS-0109"));
            // The condition may be older than the last one of the stored rows.
            running.await("the stored rows", () -> broker.depth(queue) <= 50);
            assertThat(broker.depth(queue)).isEqualTo(50);
            synchronized (receiver)
            {
                receiver.storeAtMost = Integer.MAX_VALUE;
            }
            running.awaitRows(100);
            running.await("the queue to be empty", () -> broker.depth(queue) == 0);
            running.await("the end of the condition", running.stage.raised::isEmpty);
            assertThat(receiver.column(0)).containsExactlyElementsOf(ids(1, 100));
        }
    }

    @Test
    void shouldReceiveEachRowOnceWhenItIsKilledBetweenStoringAndAcknowledging() throws Exception
    {
        final Receiver receiver = new Receiver();
        receiver.isStoring = true;
        broker.sendTexts(queue, texts(1, 1000));
        for (int kill = 1; kill <= 5; kill++)
        {
            receiver.killAfter = kill * 150;
            // A killed source closes nothing; the broker ends its session when the connection breaks.
            final RunningSource running = source(TestStage.TICK, receiver, source -> source.setTransactionMessages(70))
                .start();
            running.join();
        }
        receiver.killAfter = Integer.MAX_VALUE;
        try (RunningSource running = source(TestStage.TICK, receiver, source -> { }).start())
        {
            running.awaitRows(1000);
            running.await("the queue to be empty", () -> broker.depth(queue) == 0);
            assertThat(receiver.column(0)).containsExactlyInAnyOrderElementsOf(ids(1, 1000));
            assertThat(running.figure("repeated")).isPositive();
        }
    }

    @Test
    void shouldReceiveTheRestOfAMessageWhoseFirstRowsWereStoredBeforeAKill() throws Exception
    {
        final Receiver receiver = new Receiver();
        receiver.isStoring = true;
        receiver.killAfter = 400;
        broker.send(queue, session -> session.createTextMessage(String.join("\n", IntStream.rangeClosed(1, 1000)
            .mapToObj(id -> id % 10 == 0 ? "bad" : id + ",S,1").toList())));
        source(TestStage.TICK, receiver, source -> source.setFormat("csv")).start().join();
        receiver.killAfter = Integer.MAX_VALUE;
        try (RunningSource running = source(TestStage.TICK, receiver, source -> source.setFormat("csv")).start())
        {
            running.awaitRows(900);
            running.awaitCommit();
            assertThat(receiver.column(0)).containsExactlyElementsOf(LongStream.rangeClosed(1, 1000)
                .filter(id -> id % 10 != 0).boxed().map(id -> (Object)id).toList());
        }
    }

    @Test
    void shouldBeDegradedWhileTheBrokerIsAwayAndReceiveEachRowOnce() throws Exception
    {
        try (Broker own = new Broker(directory.resolve("own")))
        {
            final Receiver receiver = new Receiver();
            try (RunningSource running = new RunningSource(own, TestStage.TICK, receiver, source ->
            {
                source.setDestinationName("away");
                source.setNumberFile(directory.resolve("numbers").toString());
            }).start())
            {
                int sent = 0;
                for (int outage = 0; outage < 3; outage++)
                {
                    own.sendTexts("away", texts(sent + 1, sent + 500));
                    sent += 500;
                    running.awaitRows(sent - 300);
                    own.stop();
                    running.await("the condition", () -> running.stage.raised.containsKey("JMS-0103"));
                    assertThat(running.figures().get("trouble").toString()).startsWith("JMS-0103");
                    own.start();
                    running.await("the end of the condition", running.stage.raised::isEmpty);
                }
                running.awaitRows(sent);
                running.await("the queue to be empty", () -> own.depth("away") == 0);
                assertThat(receiver.column(0)).containsExactlyInAnyOrderElementsOf(ids(1, sent));
            }
        }
    }

    @Test
    void shouldContinueAfterSuspend() throws Exception
    {
        broker.sendTexts(queue, texts(1, 10));
        try (RunningSource running = source(TestStage.TICK, new Receiver(), source -> { }).start())
        {
            running.awaitRows(10);
            running.source.suspend();
            running.join();
            broker.sendTexts(queue, texts(11, 20));
            assertThat(running.receiver.size()).isEqualTo(10);
            running.source.beforeResume();
            running.start();
            running.awaitRows(20);
            assertThat(running.receiver.column(0)).isEqualTo(ids(1, 20));
        }
    }

    @Test
    void shouldReportAClassThatNoBundleContainsUntilItIsInstalled() throws Exception
    {
        try (RunningSource running = source(TestStage.TICK, new Receiver(), source -> source.setConnectionFactoryClass(
            "com.ibm.mq.jakarta.jms.MQConnectionFactory")).start())
        {
            running.await("the condition", () -> running.stage.raised.containsKey("JMS-0102"));
            assertThat(running.stage.raised.get("JMS-0102")).contains("com.ibm.mq.jakarta.jms.MQConnectionFactory");
        }
    }

    /** A client of which a library is missing. */
    private static final class IncompleteFactory extends ActiveMQConnectionFactory
    {
        private static final long serialVersionUID = 1L;

        @Override
        public Connection createConnection()
        {
            throw new NoClassDefFoundError("io/netty/Missing");
        }
    }

    @Test
    void shouldRunOnWhenALibraryOfTheProviderIsMissing() throws Exception
    {
        try (RunningSource running = source(TestStage.TICK, new Receiver(), source ->
        {
            source.setConnectionFactoryClass(null);
            source.setBrokerUrl(null);
            source.setConnectionFactory(new IncompleteFactory());
        }).start())
        {
            running.await("the condition", () -> running.stage.raised.containsKey("JMS-0102"));
            assertThat(running.stage.raised.get("JMS-0102")).contains("io/netty/Missing");
            assertThat(running.stage.raised).doesNotContainKey("thread");
        }
    }

    @Test
    void shouldRefuseClassesAndUrlsThatAreNotPermitted()
    {
        assertThatThrownBy(() -> source(TestStage.TICK, new Receiver(), source ->
        {
            source.setConnectionFactoryClass(null);
            source.setJndiFactory("com.sun.jndi.ldap.LdapCtxFactory");
            source.setConnectionJndiName("x");
        })).hasMessageStartingWith("JMS-0101").hasMessageContaining("millrace.jms.allowed");
        assertThatThrownBy(() -> source(TestStage.TICK, new Receiver(),
            source -> source.setBrokerUrl("(tcp://127.0.0.1:1,rmi://127.0.0.1)")))
            .hasMessageStartingWith("JMS-0101").hasMessageContaining("value=rmi:");
        assertThatThrownBy(() -> source(TestStage.TICK, new Receiver(), source ->
        {
            source.setConnectionFactoryClass(null);
            source.setJndiFactory("org.apache.activemq.artemis.jndi.ActiveMQInitialContextFactory");
            source.setConnectionJndiName("ldap://127.0.0.1/x");
        })).hasMessageStartingWith("JMS-0101").hasMessageContaining("no URL");
        assertThatThrownBy(() -> source(TestStage.TICK, new Receiver(), source ->
        {
            source.setConnectionFactoryClass(null);
            source.setJndiFactory("org.apache.activemq.artemis.jndi.ActiveMQInitialContextFactory");
            source.setJndiProperties("java.naming.factory.object=x.Y");
            source.setConnectionJndiName("x");
        })).hasMessageStartingWith("JMS-0101").hasMessageContaining("java.naming.factory.object");
    }

    @Test
    void shouldRefuseWrongProperties()
    {
        refuses("destinationName", source -> source.setDestinationName(null));
        refuses("destinationType", source -> source.setDestinationType("BOX"));
        refuses("format", source -> source.setFormat("xml"));
        refuses("messageIdColumn", source -> source.setMessageIdColumn("price"));
        refuses("columns", source -> source.setColumns("id,unknown"));
        refuses("converterBean", source -> source.setConverterBean("x"));
        refuses("sessionAckModeName", source -> source.setSessionAckModeName("AUTO_ACKNOWLEDGE"));
        refuses("subscriptionName", source -> source.setSubscriptionShared(true));
        refuses("passwordSecret", source -> source.setPasswordSecret("unknown"));
        refuses("password", source -> source.setEncryptedPassword("{AES}abc"));
        refuses("maxMessageBytes", source -> source.setMaxMessageBytes(1));
    }

    private void refuses(final String name, final Consumer<JmsSource> property)
    {
        assertThatThrownBy(() -> source(TestStage.TICK, new Receiver(), property)).as(name)
            .hasMessageStartingWith("JMS-0101").hasMessageContaining("stage=app/jms name=" + name);
    }
}
