package dev.millrace.adapter.jms;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** A message broker with a journal, on a port of loopback that it keeps when it is started again. */
public final class Broker implements AutoCloseable
{
    /** Creates a message to send. */
    @FunctionalInterface
    public interface MessageMaker
    {
        Message make(Session session) throws JMSException;
    }

    private final Path directory;
    private int port;
    private EmbeddedActiveMQ server;

    public Broker(final Path directory) throws Exception
    {
        this.directory = directory;
        start();
    }

    public void start() throws Exception
    {
        final Configuration configuration = new ConfigurationImpl().setSecurityEnabled(false)
            .setJournalType(JournalType.NIO).setJournalSyncTransactional(false).setJournalSyncNonTransactional(false)
            .setJournalDirectory(directory.resolve("journal").toString())
            .setBindingsDirectory(directory.resolve("bindings").toString())
            .setLargeMessagesDirectory(directory.resolve("large").toString())
            .setPagingDirectory(directory.resolve("paging").toString()).setJournalFileSize(1 << 20)
            .addAcceptorConfiguration("tcp", "tcp://127.0.0.1:" + port)
            .addAddressSetting("#", new AddressSettings().setMaxDeliveryAttempts(-1));
        server = new EmbeddedActiveMQ().setConfiguration(configuration);
        server.start();
        port = ((NettyAcceptor)server.getActiveMQServer().getRemotingService().getAcceptor("tcp")).getActualPort();
    }

    /** Ends all connections at once. */
    public void stop() throws Exception
    {
        server.stop();
    }

    public String url()
    {
        return "tcp://127.0.0.1:" + port;
    }

    public static Destination queue(final Session session, final String name) throws JMSException
    {
        return session.createQueue(name);
    }

    public void send(final String queue, final MessageMaker... makers) throws JMSException
    {
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(url());
            Connection connection = factory.createConnection();
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED))
        {
            final MessageProducer producer = session.createProducer(queue(session, queue));
            for (final MessageMaker each : makers)
            {
                producer.send(each.make(session));
            }
            session.commit();
        }
    }

    public void sendTexts(final String queue, final List<String> texts) throws JMSException
    {
        send(queue, texts.stream().<MessageMaker>map(text -> session -> session.createTextMessage(text))
            .toArray(MessageMaker[]::new));
    }

    /** Removes and returns messages, until none has arrived for a while. */
    public List<Message> receive(final String queue, final int count) throws JMSException
    {
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(url());
            Connection connection = factory.createConnection();
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE))
        {
            connection.start();
            final MessageConsumer consumer = session.createConsumer(queue(session, queue));
            final List<Message> messages = new ArrayList<>();
            Message next = consumer.receive(10_000);
            while (next != null)
            {
                messages.add(next);
                next = consumer.receive(messages.size() < count ? 10_000 : 20);
            }
            return messages;
        }
    }

    /** Number of messages that are not acknowledged. */
    public long depth(final String queue)
    {
        return server.getActiveMQServer().locateQueue(queue).getMessageCount();
    }

    @Override
    public void close() throws IOException
    {
        try
        {
            server.stop();
        }
        catch (final Exception e)
        {
            throw new IOException(e);
        }
    }
}
