package dev.millrace.cluster.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.trust.ClusterTls;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends an object that detects its own deserialization to the ports of a member, framed like member messages. It must
 * never be deserialized.
 */
@Tag("slow")
@Timeout(120)
class CanaryTest
{
    private static final byte[] MAGIC = {0, 0, 0x47, 0x47};
    private static final int HEADER_BYTES = 18;
    private static final int ANSWER_MS = 500;

    @TempDir
    private Path directory;

    private TestPorts ports;

    /** Records deserialization. */
    private static final class Canary implements Serializable
    {
        static final AtomicInteger SUNG = new AtomicInteger();
        private static final long serialVersionUID = 1L;

        private void readObject(final ObjectInputStream in) throws IOException, ClassNotFoundException
        {
            in.defaultReadObject();
            SUNG.incrementAndGet();
        }
    }

    @BeforeEach
    void findPorts() throws Exception
    {
        ports = TestPorts.free();
        Canary.SUNG.set(0);
    }

    private static byte[] canary() throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes))
        {
            out.writeObject(new Canary());
        }
        return bytes.toByteArray();
    }

    /**
     * The plain object, and framed like messages: Java serialization (1), Ignite's own (2), with and without a length.
     */
    private static List<byte[]> framed() throws IOException
    {
        final byte[] canary = canary();
        final byte[] length = ByteBuffer.allocate(Integer.BYTES).putInt(canary.length).array();
        return List.of(canary, joined(MAGIC, canary), joined(MAGIC, new byte[HEADER_BYTES - MAGIC.length], canary),
            joined(MAGIC, new byte[] {1}, canary), joined(MAGIC, new byte[] {2}, canary),
            joined(MAGIC, new byte[] {1}, length, canary), joined(MAGIC, new byte[] {2}, length, canary));
    }

    private static byte[] joined(final byte[]... parts)
    {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (final byte[] part : parts)
        {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    @Test
    void shouldReadNoObjectOfOthersOnAnyPortInAnyFrame() throws Exception
    {
        final ClusterSettings settings = ports.member(directory, "one");
        try (Cluster one = IgniteCluster.join(settings))
        {
            int sent = 0;
            for (final int port : List.of(ports.ports().discovery(), ports.ports().communication()))
            {
                for (final byte[] frame : framed())
                {
                    send(plain(port), frame);
                    // With the secret as well: a member accepts only classes of the list.
                    send(secure(settings, port), frame);
                    sent += 2;
                }
            }
            assertThat(sent).isEqualTo(28);
            assertThat(Canary.SUNG).hasValue(0);
            try (Cluster two = IgniteCluster.join(ports.member(directory, "two")))
            {
                assertThat(two.view().members()).hasSize(2);
                two.map("rules").put("a", new byte[] {1});
                assertThat(one.map("rules").get("a")).containsExactly(1);
            }
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(canary())))
        {
            assertThat(in.readObject()).isInstanceOf(Canary.class);
        }
        assertThat(Canary.SUNG).as("it detects deserialization").hasValue(1);
    }

    private static Socket plain(final int port) throws IOException
    {
        return new Socket(InetAddress.getByName("127.0.0.1"), port);
    }

    private static Socket secure(final ClusterSettings settings, final int port) throws IOException
    {
        final SSLSocket secure = (SSLSocket)ClusterTls.context(settings).getSocketFactory()
            .createSocket(plain(port), "127.0.0.1", port, true);
        secure.startHandshake();
        return secure;
    }

    /** Sends the frame, then waits until the other side closes the connection or stays silent for some time. */
    private static void send(final Socket made, final byte[] frame)
    {
        try (Socket socket = made)
        {
            socket.setSoTimeout(ANSWER_MS);
            socket.getOutputStream().write(frame);
            socket.getOutputStream().flush();
            socket.shutdownOutput();
            assertThat(socket.getInputStream().readAllBytes().length).isLessThan(1 << 16);
        }
        catch (final IOException e)
        {
            assertThat(e).as("closed or silent").isNotNull();
        }
    }
}
