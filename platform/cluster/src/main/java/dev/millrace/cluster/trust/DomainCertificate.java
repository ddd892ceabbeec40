package dev.millrace.cluster.trust;

import dev.millrace.cluster.DomainSecret;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The key and the certificate that every member of a domain derives from its secret. Ed25519 keys and signatures depend
 * on the seed only (RFC 8032), so all members compute the same bytes. Immutable.
 *
 * @param key         private key
 * @param certificate self-signed
 */
record DomainCertificate(PrivateKey key, X509Certificate certificate)
{
    private static final String ALGORITHM = "Ed25519";
    private static final String MEMBER = "millrace member";
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int INTEGER = 0x02;
    private static final int BITS = 0x03;
    private static final int NAME = 0x06;
    private static final int TEXT = 0x0C;
    private static final int TIME = 0x18;
    private static final int VERSION = 0xA0;
    private static final byte[] ED25519 = {NAME, 3, 0x2B, 0x65, 0x70};
    private static final byte[] COMMON_NAME = {NAME, 3, 0x55, 0x04, 0x03};
    private static final int LONG_FORM = 0x80;
    private static final int BYTE_BITS = 8;

    /** Returns a fixed seed where Java asks for random bytes. */
    private static final class Seed extends SecureRandom
    {
        private static final long serialVersionUID = 1L;

        private final byte[] seed;

        private Seed(final byte[] seed)
        {
            super(null, null);
            this.seed = seed.clone();
        }

        @Override
        public void nextBytes(final byte[] bytes)
        {
            System.arraycopy(seed, 0, bytes, 0, bytes.length);
        }
    }

    static DomainCertificate of(final DomainSecret secret) throws GeneralSecurityException
    {
        final byte[] seed = secret.key("certificate");
        final KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
        generator.initialize(NamedParameterSpec.ED25519, new Seed(seed));
        final KeyPair pair = generator.generateKeyPair();
        if (!Arrays.equals(((EdECPrivateKey)pair.getPrivate()).getBytes().orElseThrow(), seed))
        {
            throw new GeneralSecurityException("this Java runtime does not use the given seed for Ed25519 keys");
        }
        return new DomainCertificate(pair.getPrivate(), certificate(pair.getPrivate(), pair.getPublic(), MEMBER));
    }

    /**
     * Certifies the key of another certificate. Creating this certificate requires the secret. A chain that ends with
     * it therefore proves that a member issued the proof to the owner of the key.
     *
     * @param other key of a member's own certificate
     * @return the same bytes for each call on each member
     */
    X509Certificate proof(final PublicKey other) throws GeneralSecurityException
    {
        return certificate(key, certificate.getPublicKey(), "millrace proof " +
            HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(other.getEncoded())));
    }

    private static X509Certificate certificate(final PrivateKey signer, final PublicKey key, final String subject)
        throws GeneralSecurityException
    {
        final byte[] algorithm = part(SEQUENCE, ED25519);
        final byte[] said = part(SEQUENCE, part(VERSION, part(INTEGER, new byte[] {2})),
            part(INTEGER, new byte[] {1}), algorithm, name(MEMBER),
            part(SEQUENCE, time("20000101000000Z"), time("99991231235959Z")), name(subject), key.getEncoded());
        final Signature signature = Signature.getInstance(ALGORITHM);
        signature.initSign(signer);
        signature.update(said);
        final byte[] signed = part(SEQUENCE, said, algorithm, part(BITS, new byte[1], signature.sign()));
        return (X509Certificate)CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(signed));
    }

    private static byte[] name(final String text)
    {
        return part(SEQUENCE, part(SET, part(SEQUENCE, COMMON_NAME,
            part(TEXT, text.getBytes(StandardCharsets.US_ASCII)))));
    }

    private static byte[] time(final String text)
    {
        return part(TIME, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Encodes a DER element: tag, length, content. */
    private static byte[] part(final int kind, final byte[]... contents)
    {
        final ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (final byte[] each : contents)
        {
            content.writeBytes(each);
        }
        final int length = content.size();
        final ByteArrayOutputStream part = new ByteArrayOutputStream();
        part.write(kind);
        if (length >= 1 << BYTE_BITS)
        {
            part.write(LONG_FORM | 2);
            part.write(length >> BYTE_BITS);
        }
        else if (length >= LONG_FORM)
        {
            part.write(LONG_FORM | 1);
        }
        part.write(length);
        part.writeBytes(content.toByteArray());
        return part.toByteArray();
    }
}
