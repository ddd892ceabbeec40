package dev.millrace.server.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.config.BundleTrust;
import dev.millrace.server.fixture.BundleJar;
import dev.millrace.server.fixture.app.Tally;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
@Timeout(180)
class BundleCheckTest
{
    private static final int CLASS_VERSION_OFFSET = 7;

    /** An entry of the central directory, and the position of the offset of its content in it (APPNOTE 4.3.12). */
    private static final byte[] CENTRAL_SIGNATURE = {'P', 'K', 1, 2};

    private static final int CENTRAL_OFFSET = 42;

    @TempDir
    private Path directory;

    @Test
    void shouldGiveNameAndVersionWhenTheBundleIsGood() throws Exception
    {
        final BundleCheck.Identity identity = check(
            BundleJar.named("good.app;singleton:=true").version("1.2.3").classes(Tally.class).bytes());

        assertThat(identity).isEqualTo(new BundleCheck.Identity("good.app", "1.2.3"));
    }

    @Test
    void shouldRefuseWhenItIsNoZip() throws Exception
    {
        refused("this is no archive".getBytes(StandardCharsets.UTF_8), "SRV-0201");
        refused(new byte[0], "SRV-0201");
        final byte[] good = BundleJar.named("cut.app").classes(Tally.class).bytes();
        refused(Arrays.copyOf(good, good.length / 2), "SRV-0201");
    }

    /** In this case the JDK throws an EOFException, not a ZipException; found by fuzzing. */
    @Test
    void shouldRefuseWhenTheDirectoryPointsBehindTheEnd() throws Exception
    {
        final byte[] damaged = BundleJar.named("far.app").classes(Tally.class).bytes();
        int header = damaged.length - CENTRAL_SIGNATURE.length;
        while (!Arrays.equals(damaged, header, header + CENTRAL_SIGNATURE.length, CENTRAL_SIGNATURE, 0,
            CENTRAL_SIGNATURE.length))
        {
            header--;
        }
        ByteBuffer.wrap(damaged).order(ByteOrder.LITTLE_ENDIAN).putInt(header + CENTRAL_OFFSET, damaged.length - 2);
        refused(damaged, "SRV-0201");
    }

    @Test
    void shouldRefuseWhenAByteOfAStoredEntryIsChanged() throws Exception
    {
        final byte[] content = "a text that is not compressed".getBytes(StandardCharsets.UTF_8);
        final byte[] damaged = stored("data.txt", content);
        final int at = new String(damaged, StandardCharsets.ISO_8859_1).indexOf("not compressed");
        damaged[at] ^= 1;

        refused(damaged, "SRV-0243");
    }

    private static byte[] stored(final String name, final byte[] content) throws Exception
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes))
        {
            final CRC32 checksum = new CRC32();
            checksum.update(content);
            final ZipEntry entry = new ZipEntry(name);
            entry.setMethod(ZipEntry.STORED);
            entry.setSize(content.length);
            entry.setCrc(checksum.getValue());
            zip.putNextEntry(entry);
            zip.write(content);
            zip.closeEntry();
        }
        return bytes.toByteArray();
    }

    @Test
    void shouldRefuseWhenTheManifestIsNoBundles() throws Exception
    {
        refused(zip("some.txt", "x".getBytes(StandardCharsets.UTF_8)), "SRV-0202");
        refused(BundleJar.named("").bytes(), "SRV-0202");
        refused(BundleJar.named("../../etc").bytes(), "SRV-0202");
        refused(BundleJar.named(".incoming").bytes(), "SRV-0202");
        refused(BundleJar.named("old.app").header("Bundle-ManifestVersion", "1").bytes(), "SRV-0202");
        refused(BundleJar.named("part").header("Fragment-Host", "dev.millrace.server").bytes(), "SRV-0202");
        refused(zip("META-INF/MANIFEST.MF", "no colon here\n".getBytes(StandardCharsets.UTF_8)), "SRV-0202");
    }

    @Test
    void shouldRefuseWhenACommentIsNotValidUtf8() throws Exception
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes, StandardCharsets.ISO_8859_1))
        {
            final ZipEntry entry = new ZipEntry("a.txt");
            entry.setComment("caf\u00e9");
            zip.putNextEntry(entry);
        }
        // From Java 25 on, the library rejects the file when it opens it; before, it rejects the entry when it reads
        // it.
        refused(bytes.toByteArray(), "SRV-0201", "SRV-0204");
    }

    @Test
    void shouldAcceptWhenANameHasUmlautsOrGoesUpWithinTheArchive() throws Exception
    {
        final byte[] bundle = BundleJar.named("wide.app")
            .file("data/gr\u00f6\u00dfe.csv", "x").file("a/../b", "x").bytes();
        assertThat(check(bundle).symbolicName()).isEqualTo("wide.app");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../evil.sh", "/etc/passwd", "a/../../evil", "C:/evil", "a\\..\\evil"})
    void shouldRefuseWhenAnEntryLeadsOut(final String name) throws Exception
    {
        refused(BundleJar.named("slip.app").file(name, "x").bytes(), "SRV-0204");
    }

    @Test
    void shouldRefuseWhenItUnpacksToTooMuch() throws Exception
    {
        refused(BundleJar.named("bomb.app").file("zeros", new byte[8 << 20]).bytes(), "SRV-0203");

        final BundleJar big = BundleJar.named("big.app");
        final byte[] block = new byte[17 << 20];
        new Random(7).nextBytes(block);
        for (int i = 0; i < 4; i++)
        {
            big.file("block" + i, block);
        }
        refused(big.bytes(), "SRV-0203");

        final BundleJar many = BundleJar.named("many.app");
        for (int i = 0; i <= BundleCheck.MAX_ENTRIES; i++)
        {
            many.file("e" + i, "");
        }
        refused(many.bytes(), "SRV-0203");
    }

    @Test
    void shouldRefuseWhenAClassNeedsANewerJava() throws Exception
    {
        final byte[] type = Tally.class.getResourceAsStream("Tally.class").readAllBytes();
        type[CLASS_VERSION_OFFSET] = (byte)(Runtime.version().feature() + 45);

        refused(BundleJar.named("new.app").file("a/Tally.class", type).bytes(), "SRV-0205");
        refused(BundleJar.named("odd.app").file("a/Odd.class", "not a class at all").bytes(), "SRV-0205");
        check(BundleJar.named("multi.app").file("META-INF/versions/99/a/Tally.class", type).bytes());
    }

    private BundleCheck.Identity check(final byte[] bytes) throws IOException, DeploymentException
    {
        final Path file = directory.resolve("upload.jar");
        Files.write(file, bytes);
        return BundleCheck.check(file, "app.jar", BundleTrust.OPTIONAL);
    }

    private void refused(final byte[] bytes, final String... codes)
    {
        assertThatThrownBy(() -> check(bytes)).isInstanceOfSatisfying(DeploymentException.class, refused ->
        {
            assertThat(refused.problems().get(0).code()).isIn((Object[])codes);
            assertThat(refused.problems().get(0).position().file()).startsWith("app.jar");
            assertThat(refused.problems().get(0).hint()).isNotEmpty();
        });
    }

    private static byte[] zip(final String name, final byte[] content) throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes))
        {
            zip.putNextEntry(new ZipEntry(name));
            zip.write(content);
        }
        return bytes.toByteArray();
    }
}
