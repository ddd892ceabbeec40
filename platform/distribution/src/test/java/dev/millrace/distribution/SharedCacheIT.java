package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The sample application with a cache that two instances share. */
@Timeout(180)
class SharedCacheIT
{
    private static final int PORTS = 4;
    private static final int SYMBOLS = 300;

    @TempDir
    private Path directory;

    @Test
    void shouldShareTheCacheOfAnApplicationOnTwoInstances() throws Exception
    {
        final int discovery = freePort();
        final int communication = freePort();
        try (RunningInstance one = instance("one", discovery, communication);
            RunningInstance two = instance("two", discovery, communication))
        {
            final Result installed = one.app("install", "--group", "all", withSharedCache());
            assertThat(installed.exitCode()).as(installed.output()).isZero();
            Product.await("both have the cache", 30, () -> size(one) == SYMBOLS && size(two) == SYMBOLS);
            final Result removed = two.app("uninstall", "--group", "all", Product.APPLICATION);
            assertThat(removed.exitCode()).as(removed.output()).isZero();
            for (final RunningInstance each : new RunningInstance[] {one, two})
            {
                assertThat(Files.readString(each.domain.directory().resolve("logs/server.log")))
                    .doesNotContain("CLU-0306").doesNotContain("CLU-0008");
            }
        }
    }

    private static int size(final RunningInstance instance)
    {
        try
        {
            for (final JsonElement cache : instance.client.statistics(Product.APPLICATION).getAsJsonArray("caches"))
            {
                return cache.getAsJsonObject().get("size").getAsInt();
            }
            return -1;
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private RunningInstance instance(final String name, final int discovery, final int communication) throws Exception
    {
        return new RunningInstance(directory.resolve(name), text -> text
            .replaceFirst("<name>[^<]*_domain</name>", "<name>caches</name>")
            .replaceFirst("(?s)<cluster>.*</cluster>", """
                <cluster>
                  <server-name>%s</server-name>
                  <enabled>true</enabled>
                  <discovery-port>%d</discovery-port>
                  <communication-port>%d</communication-port>
                  <port-range>%d</port-range>
                </cluster>""".formatted(name, discovery, communication, PORTS)));
    }

    private static int freePort() throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            return socket.getLocalPort();
        }
    }

    /** The sample's bundle, but for one attribute of its assembly file. */
    private Path withSharedCache() throws IOException
    {
        final Path changed = directory.resolve("shared.jar");
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(Product.HOME.signalGeneration()));
            OutputStream file = Files.newOutputStream(changed);
            ZipOutputStream out = new ZipOutputStream(file))
        {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry())
            {
                out.putNextEntry(new ZipEntry(entry.getName()));
                out.write(content(entry.getName(), in));
                out.closeEntry();
            }
        }
        return changed;
    }

    private static byte[] content(final String name, final InputStream in) throws IOException
    {
        final byte[] bytes = in.readAllBytes();
        if (!name.startsWith("META-INF/spring/"))
        {
            return bytes;
        }
        final String text = new String(bytes, StandardCharsets.UTF_8);
        assertThat(text).contains("<wlevs:caching-system id=\"cachingSystem\"/>");
        return text.replace("<wlevs:caching-system id=\"cachingSystem\"/>",
            "<wlevs:caching-system id=\"cachingSystem\" provider=\"cluster\"/>").getBytes(StandardCharsets.UTF_8);
    }
}
