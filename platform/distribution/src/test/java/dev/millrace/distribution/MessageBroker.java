package dev.millrace.distribution;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;

/** An Artemis broker in this process, on a port of loopback that it keeps when it is started again. */
final class MessageBroker implements AutoCloseable
{
    private static final Pattern CLIENT = Pattern.compile("(artemis-(jakarta-client|core-client|commons|selector)|" +
        "netty-[a-z-]+|pem-keystore|commons-(beanutils|collections|logging))-\\d.*\\.jar");

    private final Path directory;
    private int port;
    private EmbeddedActiveMQ server;

    MessageBroker(final Path directory) throws Exception
    {
        this.directory = directory;
        start();
    }

    void start() throws Exception
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
    void stop() throws Exception
    {
        server.stop();
    }

    int port()
    {
        return port;
    }

    String url()
    {
        return "tcp://127.0.0.1:" + port;
    }

    /** Number of messages that are not acknowledged. */
    long depth(final String queue)
    {
        return server.getActiveMQServer().locateQueue(queue).getMessageCount();
    }

    /** Packs the libraries of the client for JMS into one bundle, as adapters/jms/README.md describes. */
    static Path clientBundle(final Path to) throws IOException
    {
        final List<Path> libraries = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of).filter(each -> CLIENT.matcher(each.getFileName().toString()).matches()).toList();
        final Manifest manifest = new Manifest();
        final Attributes attributes = manifest.getMainAttributes();
        attributes.putValue("Manifest-Version", "1.0");
        attributes.putValue("Bundle-ManifestVersion", "2");
        attributes.putValue("Bundle-SymbolicName", "artemis-client");
        attributes.putValue("Bundle-Version", "1.0.0");
        attributes.putValue("Bundle-ClassPath",
            String.join(",", libraries.stream().map(each -> each.getFileName().toString()).toList()));
        attributes.putValue("Import-Package", "jakarta.jms,org.slf4j");
        attributes.putValue("DynamicImport-Package", "*");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(to), manifest))
        {
            for (final Path each : libraries)
            {
                jar.putNextEntry(new ZipEntry(each.getFileName().toString()));
                Files.copy(each, jar);
            }
        }
        return to;
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
