/// A result of OpenSSL's certificate check, an `X509_V_…` number.
public struct CertificateResult: RawRepresentable, Hashable, Sendable {
  /// The number; 0 is success.
  public let rawValue: Int

  /// Creates a result from its number.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// `X509_V_ERR_HOSTNAME_MISMATCH`: 62.
  public static let hostNameMismatch = Self(rawValue: 62)

  // The order is that of openssl/x509_vfy.h; the place in the list is the number.
  private static let table: [(name: String, meaning: String)] = [
    ("X509_V_OK", "the certificate is good"),
    ("X509_V_ERR_UNSPECIFIED", "the check did not say why"),
    ("X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT", "the certificate of the issuer was not found"),
    ("X509_V_ERR_UNABLE_TO_GET_CRL", "no revocation list was found"),
    (
      "X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE",
      "the signature of the certificate cannot be decrypted"
    ),
    (
      "X509_V_ERR_UNABLE_TO_DECRYPT_CRL_SIGNATURE",
      "the signature of the revocation list cannot be decrypted"
    ),
    ("X509_V_ERR_UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY", "the issuer's public key cannot be read"),
    ("X509_V_ERR_CERT_SIGNATURE_FAILURE", "the signature of the certificate is wrong"),
    ("X509_V_ERR_CRL_SIGNATURE_FAILURE", "the signature of the revocation list is wrong"),
    ("X509_V_ERR_CERT_NOT_YET_VALID", "the certificate is not valid yet"),
    ("X509_V_ERR_CERT_HAS_EXPIRED", "the certificate has expired"),
    ("X509_V_ERR_CRL_NOT_YET_VALID", "the revocation list is not valid yet"),
    ("X509_V_ERR_CRL_HAS_EXPIRED", "the revocation list has expired"),
    (
      "X509_V_ERR_ERROR_IN_CERT_NOT_BEFORE_FIELD",
      "the start date of the certificate cannot be read"
    ),
    ("X509_V_ERR_ERROR_IN_CERT_NOT_AFTER_FIELD", "the end date of the certificate cannot be read"),
    ("X509_V_ERR_ERROR_IN_CRL_LAST_UPDATE_FIELD", "the date of the revocation list cannot be read"),
    (
      "X509_V_ERR_ERROR_IN_CRL_NEXT_UPDATE_FIELD",
      "the next date of the revocation list cannot be read"
    ),
    ("X509_V_ERR_OUT_OF_MEM", "memory ran out during the check"),
    ("X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT", "the certificate is signed by itself"),
    (
      "X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN",
      "the chain ends in an authority that signed itself and is not trusted here"
    ),
    (
      "X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
      "the issuer of the certificate is not known here"
    ),
    (
      "X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      "the first certificate cannot be verified: the chain has only one"
    ),
    ("X509_V_ERR_CERT_CHAIN_TOO_LONG", "the chain of certificates is too long"),
    ("X509_V_ERR_CERT_REVOKED", "the certificate has been revoked"),
    ("X509_V_ERR_NO_ISSUER_PUBLIC_KEY", "the issuer has no public key"),
    ("X509_V_ERR_PATH_LENGTH_EXCEEDED", "the chain is longer than an authority in it allows"),
    ("X509_V_ERR_INVALID_PURPOSE", "the certificate is not meant for this use"),
    ("X509_V_ERR_CERT_UNTRUSTED", "the authority is not trusted for this use"),
    ("X509_V_ERR_CERT_REJECTED", "the authority is rejected for this use"),
    ("X509_V_ERR_SUBJECT_ISSUER_MISMATCH", "subject and issuer in the chain do not match"),
    ("X509_V_ERR_AKID_SKID_MISMATCH", "the key identifiers in the chain do not match"),
    (
      "X509_V_ERR_AKID_ISSUER_SERIAL_MISMATCH",
      "issuer and serial number in the chain do not match"
    ),
    ("X509_V_ERR_KEYUSAGE_NO_CERTSIGN", "the issuer's key is not meant to sign certificates"),
    ("X509_V_ERR_UNABLE_TO_GET_CRL_ISSUER", "the issuer of the revocation list was not found"),
    (
      "X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION",
      "the certificate has a critical extension that is not understood"
    ),
    ("X509_V_ERR_KEYUSAGE_NO_CRL_SIGN", "the issuer's key is not meant to sign revocation lists"),
    (
      "X509_V_ERR_UNHANDLED_CRITICAL_CRL_EXTENSION",
      "the revocation list has a critical extension that is not understood"
    ),
    ("X509_V_ERR_INVALID_NON_CA", "a certificate that is no authority acts as one"),
    ("X509_V_ERR_PROXY_PATH_LENGTH_EXCEEDED", "the chain of proxy certificates is too long"),
    ("X509_V_ERR_KEYUSAGE_NO_DIGITAL_SIGNATURE", "the key is not meant to sign data"),
    ("X509_V_ERR_PROXY_CERTIFICATES_NOT_ALLOWED", "proxy certificates are not allowed"),
    ("X509_V_ERR_INVALID_EXTENSION", "an extension is malformed"),
    ("X509_V_ERR_INVALID_POLICY_EXTENSION", "a policy extension is malformed"),
    ("X509_V_ERR_NO_EXPLICIT_POLICY", "no explicit policy holds for the chain"),
    ("X509_V_ERR_DIFFERENT_CRL_SCOPE", "the revocation list covers another scope"),
    (
      "X509_V_ERR_UNSUPPORTED_EXTENSION_FEATURE",
      "an extension uses a feature that is not supported"
    ),
    ("X509_V_ERR_UNNESTED_RESOURCE", "a number resource is not inside that of the issuer"),
    ("X509_V_ERR_PERMITTED_VIOLATION", "a name is outside what the authority may certify"),
    ("X509_V_ERR_EXCLUDED_VIOLATION", "a name is among those the authority may not certify"),
    ("X509_V_ERR_SUBTREE_MINMAX", "a name constraint has limits that are not supported"),
    ("X509_V_ERR_APPLICATION_VERIFICATION", "the application's own check refused the certificate"),
    (
      "X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE",
      "a name constraint is of a type that is not supported"
    ),
    (
      "X509_V_ERR_UNSUPPORTED_CONSTRAINT_SYNTAX",
      "a name constraint has a form that is not supported"
    ),
    ("X509_V_ERR_UNSUPPORTED_NAME_SYNTAX", "a name has a form that is not supported"),
    ("X509_V_ERR_CRL_PATH_VALIDATION_ERROR", "the path of the revocation list cannot be verified"),
    ("X509_V_ERR_PATH_LOOP", "the chain of certificates runs in a circle"),
    ("X509_V_ERR_SUITE_B_INVALID_VERSION", "the certificate version does not fit Suite B"),
    ("X509_V_ERR_SUITE_B_INVALID_ALGORITHM", "the key algorithm does not fit Suite B"),
    ("X509_V_ERR_SUITE_B_INVALID_CURVE", "the curve does not fit Suite B"),
    (
      "X509_V_ERR_SUITE_B_INVALID_SIGNATURE_ALGORITHM",
      "the signature algorithm does not fit Suite B"
    ),
    ("X509_V_ERR_SUITE_B_LOS_NOT_ALLOWED", "the security level does not fit Suite B"),
    (
      "X509_V_ERR_SUITE_B_CANNOT_SIGN_P_384_WITH_P_256",
      "a P-384 key was signed with P-256, which Suite B forbids"
    ),
    ("X509_V_ERR_HOSTNAME_MISMATCH", "the certificate is for another host name"),
    ("X509_V_ERR_EMAIL_MISMATCH", "the certificate is for another e-mail address"),
    ("X509_V_ERR_IP_ADDRESS_MISMATCH", "the certificate is for another IP address"),
    ("X509_V_ERR_DANE_NO_MATCH", "no DANE record matches the certificate"),
    ("X509_V_ERR_EE_KEY_TOO_SMALL", "the key of the certificate is too small"),
    ("X509_V_ERR_CA_KEY_TOO_SMALL", "the key of an authority is too small"),
    ("X509_V_ERR_CA_MD_TOO_WEAK", "the digest of an authority's signature is too weak"),
    ("X509_V_ERR_INVALID_CALL", "the check was called in a wrong way"),
    ("X509_V_ERR_STORE_LOOKUP", "the store of certificates could not be searched"),
    ("X509_V_ERR_NO_VALID_SCTS", "no valid certificate timestamp came with the certificate"),
    (
      "X509_V_ERR_PROXY_SUBJECT_NAME_VIOLATION",
      "the subject of a proxy certificate breaks the rules"
    ),
    ("X509_V_ERR_OCSP_VERIFY_NEEDED", "the certificate's status has to be checked by OCSP"),
    ("X509_V_ERR_OCSP_VERIFY_FAILED", "the OCSP answer could not be verified"),
    ("X509_V_ERR_OCSP_CERT_UNKNOWN", "the OCSP responder does not know the certificate"),
    ("X509_V_ERR_UNSUPPORTED_SIGNATURE_ALGORITHM", "the signature algorithm is not supported"),
    (
      "X509_V_ERR_SIGNATURE_ALGORITHM_MISMATCH",
      "the signature algorithm differs from that of the issuer's key"
    ),
    (
      "X509_V_ERR_SIGNATURE_ALGORITHM_INCONSISTENCY",
      "the signature algorithm is named in two ways"
    ),
    ("X509_V_ERR_INVALID_CA", "an authority's certificate is malformed"),
    (
      "X509_V_ERR_PATHLEN_INVALID_FOR_NON_CA",
      "a path length stands in a certificate that is no authority"
    ),
    (
      "X509_V_ERR_PATHLEN_WITHOUT_KU_KEY_CERT_SIGN",
      "a path length stands in a certificate that may not sign certificates"
    ),
    (
      "X509_V_ERR_KU_KEY_CERT_SIGN_INVALID_FOR_NON_CA",
      "a right to sign certificates stands in one that is no authority"
    ),
    ("X509_V_ERR_ISSUER_NAME_EMPTY", "the issuer's name is empty"),
    ("X509_V_ERR_SUBJECT_NAME_EMPTY", "the subject's name is empty"),
    (
      "X509_V_ERR_MISSING_AUTHORITY_KEY_IDENTIFIER",
      "the identifier of the authority's key is missing"
    ),
    ("X509_V_ERR_MISSING_SUBJECT_KEY_IDENTIFIER", "the identifier of the subject's key is missing"),
    ("X509_V_ERR_EMPTY_SUBJECT_ALT_NAME", "the list of alternative names is empty"),
    (
      "X509_V_ERR_EMPTY_SUBJECT_SAN_NOT_CRITICAL",
      "the subject is empty, and the alternative names are not marked critical"
    ),
    (
      "X509_V_ERR_CA_BCONS_NOT_CRITICAL",
      "the basic constraints of an authority are not marked critical"
    ),
    (
      "X509_V_ERR_AUTHORITY_KEY_IDENTIFIER_CRITICAL",
      "the identifier of the authority's key is marked critical"
    ),
    (
      "X509_V_ERR_SUBJECT_KEY_IDENTIFIER_CRITICAL",
      "the identifier of the subject's key is marked critical"
    ),
    (
      "X509_V_ERR_CA_CERT_MISSING_KEY_USAGE",
      "an authority's certificate does not state what its key is for"
    ),
    (
      "X509_V_ERR_EXTENSIONS_REQUIRE_VERSION_3",
      "extensions stand in a certificate of a version that has none"
    ),
    (
      "X509_V_ERR_EC_KEY_EXPLICIT_PARAMS",
      "an elliptic curve is given by parameters instead of by name"
    ),
  ]

  /// All numbers that OpenSSL 3.0 has, from success on.
  public static let all: [CertificateResult] = table.indices.map(Self.init(rawValue:))

  private var row: (name: String, meaning: String)? {
    Self.table.indices.contains(rawValue) ? Self.table[rawValue] : nil
  }

  /// The constant in `openssl/x509_vfy.h`.
  public var name: String { row?.name ?? "X509_V \(rawValue)" }

  /// What it means, or `nil` for an unknown number.
  public var meaning: String? { row?.meaning }

  /// The error that a server certificate with this result amounts to.
  ///
  /// Apple's platforms answer -1202 for nearly all of them; this keeps the finer numbers apart.
  public var serverError: NetworkErrorCode {
    switch rawValue {
    case 9: .serverCertificateNotYetValid
    case 10, 13, 14: .serverCertificateHasBadDate
    case 2, 20, 21: .serverCertificateHasUnknownRoot
    case 17, 69, 70: .secureConnectionFailed
    default: .serverCertificateUntrusted
    }
  }
}

extension CertificateResult: CustomStringConvertible {
  /// Name and meaning: `X509_V_ERR_CERT_HAS_EXPIRED, the certificate has expired`.
  public var description: String { meaning.map { "\(name), \($0)" } ?? name }
}
