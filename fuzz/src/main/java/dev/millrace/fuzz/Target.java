package dev.millrace.fuzz;

import dev.millrace.adapter.loadgen.FrameWriter;
import dev.millrace.adapter.loadgen.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** The targets, each with seed inputs: a fuzzer that starts from valid inputs reaches more code. */
public enum Target
{
    /** Frames of the binary wire format. */
    FRAME(FrameFuzz.class, FrameFuzz::fuzzerTestOneInput)
    {
        @Override
        List<byte[]> seeds(final Path root)
        {
            final ByteBuffer tick = ByteBuffer.allocate(256).put(new byte[] {0, 9, 0, 0});
            new FrameWriter(tick).begin(2, 1, 0).char8("ORCL").float64(1.5).char8("NINECHARS").float64(2).end();
            final ByteBuffer all = ByteBuffer.allocate(256).put(new byte[] {1, 20, 0, 0});
            new FrameWriter(all).begin(1, 1, WireFormat.FLAG_NULLS).nulls((byte)0b10).char16("text").int32(0).int64(2)
                .float32(3).float64(4).bool(true).int64(5).end();
            return List.of(written(tick), written(all));
        }
    },
    /** Lines of CSV on the data port. */
    CSV(CsvFuzz.class, CsvFuzz::fuzzerTestOneInput)
    {
        @Override
        List<byte[]> seeds(final Path root)
        {
            return List.of("9t,-7,9223372036854775807,0.1,1e300,true,1970-01-01T00:00:01.5Z\n,,,,,,\r\nu,8,1,2,3,0,17"
                .getBytes(StandardCharsets.UTF_8));
        }
    },
    /** Source text of statements. */
    STATEMENT(StatementFuzz.class, StatementFuzz::fuzzerTestOneInput)
    {
        @Override
        List<byte[]> seeds(final Path root)
        {
            return STATEMENTS.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
        }
    },
    /** Assembly files. */
    ASSEMBLY(AssemblyFuzz.class, AssemblyFuzz::fuzzerTestOneInput)
    {
        @Override
        List<byte[]> seeds(final Path root) throws IOException
        {
            return files(root, "apps/signal-generation/src/main/resources/META-INF/spring/signalgeneration.context.xml",
                "platform/server/src/main/resources/warm-up/network.xml");
        }
    },
    /** Configuration files of components. */
    CONFIGURATION(ConfigurationFuzz.class, ConfigurationFuzz::fuzzerTestOneInput)
    {
        @Override
        List<byte[]> seeds(final Path root) throws IOException
        {
            return files(root, "apps/signal-generation/src/main/resources/META-INF/wlevs/signalgeneration.xml");
        }
    },
    /** The config.xml of a domain. */
    SERVER(ServerConfigurationFuzz.class, ServerConfigurationFuzz::fuzzerTestOneInput)
    {
        @Override
        List<byte[]> seeds(final Path root) throws IOException
        {
            return files(root, "domains/defaultserver/config/config.xml");
        }
    },
    /** Bundles. */
    BUNDLE(BundleFuzz.class, BundleFuzz::fuzzerTestOneInput)
    {
        @Override
        List<byte[]> seeds(final Path root) throws IOException
        {
            return List.of(bundle());
        }
    };

    private static final List<String> STATEMENTS = List.of(
        "select symbol, price * 2 as twice from Ticks where price > 10.5 and symbol like '^A'",
        "select symbol, count(*) as n, avg(price) as a from Ticks[range 5 minutes slide 1 minute] group by symbol "
            + "having count(*) > 2",
        "IStream(select S.k, R.v from S[range 2 seconds] as S, S[partition by k rows 3] as R where S.k = R.k)",
        "select M.s, M.h from Ticks MATCH_RECOGNIZE (partition by symbol measures A.symbol as s, last(B.price) as h "
            + "all matches pattern (A B+? (C | D){1,3}) within 5 seconds define B as B.price > prev(B.price), "
            + "C as C.volume between 1 and 10) as M",
        "(select k from S) union all (select v from S)",
        "select case when k > 1 then 'a' else 'b' end as t, decode(v, 1, 2, 3) as d, to_char(x) as y from S order by k "
            + "desc nulls last rows 5");

    private final Class<?> type;
    private final Input input;

    /** Processes one input; throws when it has found a defect. */
    @FunctionalInterface
    interface Input
    {
        void take(byte[] data) throws Exception;
    }

    Target(final Class<?> type, final Input input)
    {
        this.type = type;
        this.input = input;
    }

    abstract List<byte[]> seeds(Path root) throws IOException;

    /**
     * Passes an input to the target.
     *
     * @param data input
     * @throws Exception when it has found a defect
     */
    public void take(final byte[] data) throws Exception
    {
        input.take(data);
    }

    /**
     * Writes the seeds of a target and prints its class, for the script that starts the fuzzer.
     *
     * @param args name of the target, root of the sources, directory for the seeds
     * @throws IOException when the seeds cannot be written
     */
    public static void main(final String[] args) throws IOException
    {
        final Target target = valueOf(args[0].toUpperCase(Locale.ROOT));
        final Path directory = Files.createDirectories(Path.of(args[2]));
        final List<byte[]> seeds = target.seeds(Path.of(args[1]));
        for (int i = 0; i < seeds.size(); i++)
        {
            Files.write(directory.resolve("seed" + i), seeds.get(i));
        }
        Files.writeString(Path.of(args[2] + ".class"), target.type.getName());
    }

    private static byte[] written(final ByteBuffer buffer)
    {
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    private static List<byte[]> files(final Path root, final String... names) throws IOException
    {
        final byte[][] files = new byte[names.length][];
        for (int i = 0; i < names.length; i++)
        {
            files[i] = Files.readAllBytes(root.resolve(names[i]));
        }
        return List.of(files);
    }

    private static byte[] bundle() throws IOException
    {
        final Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Bundle-ManifestVersion", "2");
        manifest.getMainAttributes().putValue("Bundle-SymbolicName", "fuzz;singleton:=true");
        manifest.getMainAttributes().putValue("Bundle-Version", "1.0.0");
        manifest.getMainAttributes().putValue("Import-Package", "dev.millrace.api.stage;version=\"[0.1,1)\"");
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes, manifest))
        {
            jar.putNextEntry(new JarEntry("META-INF/spring/a.context.xml"));
            jar.write("<beans xmlns=\"http://www.springframework.org/schema/beans\"/>"
                .getBytes(StandardCharsets.UTF_8));
            jar.closeEntry();
        }
        return bytes.toByteArray();
    }
}
