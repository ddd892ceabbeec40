package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Division of processors into sets, on a simulated Solaris machine with 512 virtual processors. */
@Timeout(300)
class MakeProcessorSetsIT
{
    private static final int USAGE = 64;

    /** Four chips of 128; number 300 is offline. */
    private static final String PSRINFO = """
        #!/bin/sh
        i=0
        while [ $i -lt 512 ]; do
            state=on-line
            if [ $i -eq 300 ]; then state=off-line; fi
            printf '%d\\t%s   since 06/01/2014 10:00:00\\n' $i $state
            i=$((i + 1))
        done
        """;

    @TempDir
    private Path directory;

    private PretendedPrograms programs;

    @BeforeEach
    void pretendSolaris() throws IOException
    {
        programs = new PretendedPrograms(directory.resolve("bin"));
        programs.addSystem("SunOS");
        programs.add("psrinfo", PSRINFO);
        pretendSets("");
    }

    /** Records each created set and gives it the next number. */
    private void pretendSets(final String taken) throws IOException
    {
        final Path made = directory.resolve("made");
        programs.add("psrset", "#!/bin/sh\n" +
            "if [ \"$1\" = -i ]; then echo \"" + taken + "\"; exit 0; fi\n" +
            "echo \"$*\" >>" + made + "\n" +
            "echo \"created processor set $(($(wc -l <" + made + ")))\"\n" +
            "echo \"processor $2: was not assigned, now 1\"\n");
    }

    private Result make(final String... arguments) throws IOException, InterruptedException
    {
        return Product.run(programs.environment(),
            Product.HOME.directory().resolve("bin/make-processor-sets.sh"), arguments);
    }

    private static String numbers(final int from, final int to)
    {
        return IntStream.range(from, to).mapToObj(Integer::toString).collect(Collectors.joining(" "));
    }

    @Test
    void shouldMakeTheTwoSetsOfTheWhitePaperOfOneChipEach() throws Exception
    {
        final Result result = make("2", "128");
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(Files.readAllLines(directory.resolve("made")))
            .containsExactly("-c " + numbers(0, 128), "-c " + numbers(128, 256));
        assertThat(result.output().lines()).last()
            .isEqualTo("millrace domain clone defaultserver 10 --processor-sets 1,2");
    }

    @Test
    void shouldPrintTheCommandsAndMakeNothingWhenItIsADryRun() throws Exception
    {
        final Result result = make("-dryrun", "2", "128");
        final String psrset = directory.resolve("bin/psrset").toString();
        assertThat(result.output().lines()).containsExactly(psrset + " -c " + numbers(0, 128),
            psrset + " -c " + numbers(128, 256), "# N1 and so on: the numbers that psrset prints",
            "millrace domain clone defaultserver 10 --processor-sets N1,N2");
        assertThat(result.exitCode()).isZero();
        assertThat(directory.resolve("made")).doesNotExist();
    }

    @Test
    void shouldLeaveOutWhatIsOffLineOrInASetAlready() throws Exception
    {
        pretendSets("user processor set 7: processors " + numbers(1, 298) + "\nuser processor set 8: processor 302");
        assertThat(make("1", "5").exitCode()).isZero();
        assertThat(Files.readAllLines(directory.resolve("made"))).containsExactly("-c 0 298 299 301 303");
    }

    @Test
    void shouldPrintRangesOnLinuxWhereNoSetIsMade() throws Exception
    {
        programs.addSystem("Linux");
        programs.add("sed", "#!/bin/sh\necho 0-1,4,6-7,9\n");
        assertThat(make("2", "2").output().lines())
            .containsExactly("millrace domain clone defaultserver 10 --processor-sets 0-1,4+6");
        assertThat(make("1", "5").output().lines())
            .containsExactly("millrace domain clone defaultserver 10 --processor-sets 0-1+4+6-7");
        assertThat(directory.resolve("made")).doesNotExist();
    }

    @Test
    void shouldRefuseWhatCannotBeHadAndMakeNothing() throws Exception
    {
        assertRefused("CMD-0011", "needed=512 and one more, free=511", "4", "128");
        assertRefused("CMD-0010", "number=x", "x", "128");
        assertRefused("CMD-0010", "number=0", "2", "0");
        assertRefused("CMD-0010", "number=-1", "-1", "2");
        assertRefused("CMD-0010", "arguments=1", "2");
        programs.addSystem("Plan9");
        assertRefused("CMD-0009", "system=Plan9", "2", "2");
        assertThat(directory.resolve("made")).doesNotExist();
    }

    private void assertRefused(final String code, final String fact, final String... arguments)
        throws IOException, InterruptedException
    {
        final Result result = make(arguments);
        assertThat(result.exitCode()).as(result.output()).isEqualTo(USAGE);
        assertThat(result.output()).startsWith(code + ": ").contains(fact, "hint: ");
    }
}
