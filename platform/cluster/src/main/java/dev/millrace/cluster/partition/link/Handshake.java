package dev.millrace.cluster.partition.link;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The handshake of a link: both sides prove that they have the secret of the members before they exchange anything
 * else.
 *
 * <pre>
 *   asks    ─► magic, version, nonce a
 *           ◄─ nonce b, HMAC(secret, "answers" a b)
 *           ─► HMAC(secret, "asks" a b hello), hello
 *   answers ◄─ last received position, or the reason for refusal
 * </pre>
 */
public final class Handshake
{
    /** Maximum duration of a read during the handshake. */
    public static final int TIMEOUT_MS = (int)TimeUnit.SECONDS.toMillis(10);

    private static final int MAGIC = 0x4D4C5250;
    private static final int VERSION = 3;
    private static final int NONCE_BYTES = 16;
    private static final int MAX_HELLO_BYTES = 1 << 18;
    private static final String ALGORITHM = "HmacSHA256";
    private static final int PROOF_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final byte WELCOME = 1;
    private static final byte REFUSED = 0;

    private Handshake()
    {
    }

    /**
     * The other side accepts rows.
     *
     * @param lastSequence last position of this link that it has received
     * @param floor        rows of earlier epochs that it has not received are rejected
     */
    public record Welcome(long lastSequence, long floor)
    {
    }

    /** The other side rejects the link; the message contains the reason. */
    public static final class Refused extends IOException
    {
        private static final long serialVersionUID = 1L;

        private final boolean isFinal;

        public Refused(final String message, final boolean isFinal)
        {
            super(message);
            this.isFinal = isFinal;
        }

        /** Whether a retry is useless. */
        public boolean isFinal()
        {
            return isFinal;
        }
    }

    /** An authenticated member that waits for the response. */
    public record Caller(Socket socket, HandshakeRequest hello)
    {
        public void welcome(final Welcome welcome) throws IOException
        {
            final DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeByte(WELCOME);
            out.writeLong(welcome.lastSequence());
            out.writeLong(welcome.floor());
            out.flush();
            socket.setSoTimeout(0);
        }

        public void refuse(final Refused refusal) throws IOException
        {
            final DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeByte(REFUSED);
            out.writeBoolean(refusal.isFinal());
            out.writeUTF(refusal.getMessage());
            out.flush();
        }
    }

    /** Performs the handshake on the connecting side. */
    public static Welcome ask(final Socket socket, final byte[] secret, final HandshakeRequest hello) throws IOException
    {
        socket.setSoTimeout(TIMEOUT_MS);
        final DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        final DataInputStream in = new DataInputStream(socket.getInputStream());
        final byte[] mine = nonce();
        out.writeInt(MAGIC);
        out.writeInt(VERSION);
        out.write(mine);
        out.flush();
        final byte[] theirs = in.readNBytes(NONCE_BYTES);
        final byte[] proof = in.readNBytes(PROOF_BYTES);
        if (!MessageDigest.isEqual(proof, proof(secret, "answers", mine, theirs, new byte[0])))
        {
            throw new IOException("the process that listens there is not a member of this cluster");
        }
        final byte[] said = hello.bytes();
        out.write(proof(secret, "asks", mine, theirs, said));
        out.writeInt(said.length);
        out.write(said);
        out.flush();
        if (in.readByte() != WELCOME)
        {
            final boolean isFinal = in.readBoolean();
            throw new Refused(in.readUTF(), isFinal);
        }
        final Welcome welcome = new Welcome(in.readLong(), in.readLong());
        socket.setSoTimeout(0);
        return welcome;
    }

    /** Performs the handshake on the listening side. */
    public static Caller answer(final Socket socket, final byte[] secret) throws IOException
    {
        socket.setSoTimeout(TIMEOUT_MS);
        final DataInputStream in = new DataInputStream(socket.getInputStream());
        final DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        if (in.readInt() != MAGIC || in.readInt() != VERSION)
        {
            throw new IOException("does not use link protocol version " + VERSION);
        }
        final byte[] theirs = in.readNBytes(NONCE_BYTES);
        final byte[] mine = nonce();
        out.write(mine);
        out.write(proof(secret, "answers", theirs, mine, new byte[0]));
        out.flush();
        final byte[] proof = in.readNBytes(PROOF_BYTES);
        final int length = in.readInt();
        if (length < 0 || length > MAX_HELLO_BYTES)
        {
            throw new IOException("hello is too long, bytes=" + length);
        }
        final byte[] said = in.readNBytes(length);
        if (!MessageDigest.isEqual(proof, proof(secret, "asks", theirs, mine, said)))
        {
            throw new IOException("does not have the secret of the members");
        }
        return new Caller(socket, HandshakeRequest.of(new DataInputStream(new ByteArrayInputStream(said))));
    }

    private static byte[] nonce()
    {
        final byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return nonce;
    }

    private static byte[] proof(
        final byte[] secret, final String side, final byte[] asks, final byte[] answers, final byte[] said)
    {
        try
        {
            final Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            mac.update(side.getBytes(StandardCharsets.US_ASCII));
            mac.update(asks);
            mac.update(answers);
            return mac.doFinal(said);
        }
        catch (final GeneralSecurityException e)
        {
            throw new IllegalStateException("every Java platform provides " + ALGORITHM, e);
        }
    }

    /** Closes a socket in any state; {@code null} is ignored. */
    public static void close(final Socket socket)
    {
        try
        {
            if (socket != null)
            {
                socket.close();
            }
        }
        catch (final IOException e)
        {
            // The socket is discarded, whether or not it closed cleanly.
            Thread.yield();
        }
    }
}
