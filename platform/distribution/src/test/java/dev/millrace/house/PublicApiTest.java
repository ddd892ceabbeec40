package dev.millrace.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The public API of what users compile against is that of the recorded files. With {@code -Dmillrace.pages=write} they
 * are written again.
 */
@Timeout(60)
class PublicApiTest
{
    private static final String ACCEPT = "To accept this change, run the command of CONTRIBUTING.md that records the "
        + "public API, commit the file, and describe the change in CHANGELOG.md. ";

    private static PublicApi recorded(final String artifact)
    {
        return PublicApi.parse(SourceTree.read(file(artifact)).lines().toList());
    }

    private static Path file(final String artifact)
    {
        return SourceTree.root().resolve("platform/distribution/src/test/resources/public-api/" + artifact + ".txt");
    }

    @ParameterizedTest
    @CsvSource({"millrace-api, platform/api, dev.millrace.api.stage.StreamSink",
        "millrace-test, platform/testing, dev.millrace.test.MillraceTest",
        "millrace-client, clients/java, dev.millrace.client.EventSender",
        "millrace-embedded, platform/embedded, dev.millrace.embedded.MillraceBuilder"})
    void shouldBeTheRecordedApi(final String artifact, final String module, final String member) throws IOException
    {
        final PublicApi now = PublicApi.ofDirectory(SourceTree.root().resolve(module + "/target/classes"));
        if ("write".equals(System.getProperty("millrace.pages")))
        {
            now.write(file(artifact), "The public API of " + artifact + ", recorded by PublicApiTest.");
        }
        final PublicApi before = recorded(artifact);
        assertThat(before.incompatible(now)).as("%s breaks code of users. A new major version is needed after a "
            + "release. %s", artifact, ACCEPT).isEmpty();
        assertThat(now.text()).as("%s has additions. %s", artifact, ACCEPT).isEqualTo(before.text())
            .contains(member);
    }

    /** Users cannot access it. */
    private interface Hidden
    {
        void run();
    }

    private static PublicApi parse(final String text)
    {
        return PublicApi.parse(text.lines().toList());
    }

    @Test
    void shouldDescribeTypesWithMembersExceptionsAndConstants()
    {
        assertThat(PublicApi.of(List.of(StringBuilder.class, Comparable.class)).text())
            .contains("public final class java.lang.StringBuilder")
            .contains("    public java.lang.StringBuilder(int)\n")
            .contains("public abstract interface java.lang.Comparable<T>\n    public abstract int "
                + "java.lang.Comparable.compareTo(T)\n");
        assertThat(PublicApi.of(List.of(AutoCloseable.class, Short.class)).text())
            .contains("close() throws java.lang.Exception\n")
            .contains("public static final short java.lang.Short.MAX_VALUE = 32767\n")
            .contains("java.lang.Number, java.lang.Comparable<java.lang.Short>");
        assertThat(PublicApi.of(List.of(Hidden.class)).types()).as("not accessible").isEmpty();
    }

    @Test
    void shouldReadWhatItHasWritten()
    {
        final PublicApi api = PublicApi.of(List.of(AutoCloseable.class, Thread.State.class, Thread.class));
        assertThat(parse("# comment\n" + api.text())).isEqualTo(api);
        assertThat(api.incompatible(api)).isEmpty();
    }

    @Test
    void shouldNameWhatBreaksUsersAndNothingElse()
    {
        final PublicApi before = parse("""
            public interface A
                public abstract void A.run()
                public static final int A.LIMIT = 7
            public class B
            """);
        assertThat(before.incompatible(parse("""
            public interface A
                public abstract void A.run()
                public default void A.stop()
                public abstract int A.element() default 7
                public static final int A.LIMIT = 7
            public class B
                public B()
            public class C
            """))).isEmpty();
        assertThat(before.incompatible(parse("""
            public interface A
                public abstract void A.run() throws java.io.IOException
                public static final int A.LIMIT = 8
            public final class B
            """))).containsExactlyInAnyOrder(
                "removed: public abstract void A.run(), of public interface A",
                "removed: public static final int A.LIMIT = 7, of public interface A",
                "to implement: public abstract void A.run() throws java.io.IOException, of public interface A",
                "removed: public class B");
    }
}
