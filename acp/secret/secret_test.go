package secret_test

import (
	"strings"
	"testing"

	"bobproxy/acp/secret"
)

func TestName(t *testing.T) {
	for _, name := range []string{
		"token", "--token", "GITHUB_TOKEN", "accessToken", "authtoken", "_authToken", "TOKEN2", "github-token-ro", "bearerToken",
		"api-key", "api_key", "apiKey", "APIKey", "APIKEY", "X-Api-Key", "OPENAI_API_KEY", "OPENAI_KEY", "key", "api-keys",
		"password", "DB_PASSWORD", "PGPASSWORD", "MYSQL_PWD", "dbPass", "passWord", "pwd", "passphrase", "passwd",
		"secret", "client-secret", "clientSecret", "CLIENT_SECRET_PROD", "auth", "basic-auth", "authorization", "Proxy-Authorization",
		"bearer", "access-key", "AWS_SECRET_ACCESS_KEY", "private-key", "Cookie", "X-Amz-Signature", "sig", "credentials", "spring.datasource.password",
		strings.Repeat("long-", 1000) + "token",
	} {
		if !secret.Name(name) {
			t.Errorf("%q means no secret", name)
		}
	}
	for _, name := range []string{
		"", "-", "--", "1", "é", "tokenizer", "tokenize", "tokens", "max-tokens", "maxTokens", "token-limit", "tokenLimit", "token_count", "progressToken", "max-token",
		"keyboard", "monkey", "key-file", "sort-key", "public-key", "primaryKey", "keys", "author", "authors", "no-auth", "noAuth", "auth-type", "authority",
		"password-file", "PASSWORD_FILE", "passwordless", "secretary", "bypass", "pass-through", "PWD", "OLDPWD", "compass", "design", "signal",
		"token-url", "api-key-env", "hasPassword", "skip-auth", strings.Repeat("token-", 1000) + "file",
	} {
		if secret.Name(name) {
			t.Errorf("%q means a secret", name)
		}
	}
}

// marked is text with a # in the place of each secret.
func marked(t *testing.T, text string, found []secret.Span) string {
	t.Helper()
	var b strings.Builder
	at := 0
	for _, s := range found {
		if s.Start < at || s.End <= s.Start || s.End > len(text) {
			t.Fatalf("%v is no order in %q", found, text)
		}
		b.WriteString(text[at:s.Start] + "#")
		at = s.End
	}
	return b.String() + text[at:]
}

func TestArgs(t *testing.T) {
	for _, tt := range []struct{ name, args, want string }{
		{"next argument", "--token|tok-1|x", "--token|#|x"},
		{"with an equals sign", "--token=tok-1|x", "--token=#|x"},
		{"one dash", "-api-key|k1|-password=p1", "-api-key|#|-password=#"},
		{"many names", "--secret|a|--client-secret|b|--auth|c|--authorization|d|--bearer|e2|--access-key|f|--private-key|g2|--passphrase|h2|--api_key|i2",
			"--secret|a|--client-secret|b|--auth|c|--authorization|d|--bearer|#|--access-key|f|--private-key|#|--passphrase|#|--api_key|#"},
		{"assignments", "-e|OPENAI_API_KEY=sk-1|--env=B_TOKEN=t1|-eC_SECRET=s1|LANG=C|--GITHUB_TOKEN=ghp_1", "-e|OPENAI_API_KEY=#|--env=B_TOKEN=#|-eC_SECRET=#|LANG=C|--GITHUB_TOKEN=#"},
		{"headers", "-H|Authorization: Bearer x1|--header|X-Api-Key:k1|--header=Cookie: c1|-HX-Token: t1|-H|Accept: */*", "-H|Authorization: #|--header|X-Api-Key:#|--header=Cookie: #|-HX-Token: #|-H|Accept: */*"},
		{"scripts with a colon", "run|auth:login", "run|auth:login"},
		{"other names", "--tokenizer|gpt2|--max-tokens|4096|--token-limit=5|--keyboard|de1|--authors|ann1|--no-auth|serve1|--token-file|/t1", "--tokenizer|gpt2|--max-tokens|4096|--token-limit=5|--keyboard|de1|--authors|ann1|--no-auth|serve1|--token-file|/t1"},
		{"no secrets", "--token|4096|--auth|true|--auth=basic|--password|--verbose|--token||--secret=", "--token|4096|--auth|true|--auth=basic|--password|--verbose|--token||--secret="},
		{"references", "--token|$GITHUB_TOKEN|--token=${input:t1}|--api-key|OPENAI_API_KEY|--token|<token1>|--header|Authorization: Bearer ${T1}", "--token|$GITHUB_TOKEN|--token=${input:t1}|--api-key|OPENAI_API_KEY|--token|<token1>|--header|Authorization: Bearer ${T1}"},
		{"a dollar sign in a value", "--password|$ecret1", "--password|#"},
		{"a key that begins with a dash", "--token|-Ab3dEf6hIj9lMn2pQ|--token|-v", "--token|#|--token|-v"},
		{"masked already", "--token|[masked]|--token=[removed 1]", "--token|[masked]|--token=[removed 1]"},
		{"addresses", "postgres://ann:pw1@h/d|--url=https://h/?token=t1&x=1|ssh://git@h/x|https://ghp0123456789abcd@h", "postgres://ann:#@h/d|--url=https://h/?token=#&x=1|ssh://git@h/x|https://#@h"},
		{"a command line", `sh|-c|A_TOKEN=t1 curl -H "Authorization: Bearer x1" --token 't 2' && x --password $P`, `sh|-c|A_TOKEN=# curl -H "Authorization: #" --token '#' && x --password $P`},
		{"a short command line", "sh|-c|A_TOKEN=t1;reboot", "sh|-c|A_TOKEN=#;reboot"},
		{"JSON", `--config|{"apiKey":"sk-12345","x":"y"}`, `--config|{"apiKey":"#","x":"y"}`},
		{"properties", "-Dapi.key=k1|-Ddb.password=p1", "-Dapi.key=#|-Ddb.password=#"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var a secret.Args
			var got []string
			for arg := range strings.SplitSeq(tt.args, "|") {
				got = append(got, marked(t, arg, a.Next(arg)))
			}
			if got := strings.Join(got, "|"); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestLine(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"curl --token abc1 https://h", "curl --token # https://h"},
		{`bash -lc "deploy --api-key 'k 1' | tee x"`, `bash -lc "deploy --api-key '#' | tee x"`},
		{"grep -r password src/ | wc", "grep -r password src/ | wc"},
		{"x --token a1;reboot", "x --token #;reboot"},
		{"x --token\nrm -rf /", "x --token\nrm -rf /"},
		{"A_TOKEN=a1|sh&B_TOKEN=b1", "A_TOKEN=#|sh&B_TOKEN=#"},
		{`x --token "$(rm 1)" --token "a` + "`rm 1`" + `"`, `x --token "$(rm 1)" --token "a` + "`rm 1`" + `"`},
		{`x --token a\;1 'b;c'`, `x --token # 'b;c'`},
		{`sh -c "A_TOKEN=a1;reboot"`, `sh -c "A_TOKEN=#;reboot"`},
		{"x --auth && rm -rf /", "x --auth && rm -rf /"},
		{`export A_PASSWORD="p 1"; x`, `export A_PASSWORD="#"; x`},
		{`echo "unclosed --token abc1`, `echo "unclosed --token #`},
		{"git log --author=ann1 --max-count 5", "git log --author=ann1 --max-count 5"},
	} {
		if got := marked(t, tt.line, secret.Line(tt.line)); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

func TestText(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"PASSWORD=hunter22\nexport DB_PASSWORD=hunterdog # local\n", "PASSWORD=#\nexport DB_PASSWORD=# # local\n"},
		{"+API_KEY=abc-def\r\n-API_KEY=abc.1/def", "+API_KEY=#\r\n-API_KEY=#"},
		{`DB_PASSWORD: "hunter dog 7"`, `DB_PASSWORD: "#"`},
		{`{"api_key": "tulips", "x": "y", "token" : 'ab12cd34'}`, `{"api_key": "#", "x": "y", "token" : '#'}`},
		{`{\"api_key\":\"tulips\",\"x\":\"y\"}`, `{\"api_key\":\"#\",\"x\":\"y\"}`},
		{"  password: hunter22", "  password: #"},
		{"spring.datasource.password=hunter22", "spring.datasource.password=#"},
		{`const apiKey = "abc123def"; x := y`, `const apiKey = "#"; x := y`},
		{`Authorization: "Bearer abc123"`, `Authorization: "#"`},
	} {
		if got := marked(t, tt.text, secret.Text(tt.text)); got != tt.want {
			t.Errorf("got  %q\nwant %q", got, tt.want)
		}
	}
	for _, text := range []string{
		`password := os.Getenv("X")`, "token = nextToken(r)", "PASSWORD=", "PASSWORD=''", "PASSWORD=${PASSWORD}", "PASSWORD=$PASS", `password: "<password>"`, "PASSWORD=<password>",
		"password = cfg.Password", "password: string", "  token: nextToken,", "password=password", "TOKEN = 4096", "PASSWORD=12345678", `password: "string"`,
		"token := lexer2token", "secret: Secret", "if password == \"hunter22\" {", `max_tokens: "123abc456"`, `tokenizer = "gpt2large"`, "API_KEY=settings.API_KEY",
		`"password": "Enter your password"`, `apiKey: "OPENAI_API_KEY"`, `"password": "password"`, "PASSWORD=********", `api_key="[removed 1]"`, "the password: hunter22 is old",
		`signature: "func(a int) error"`, `signature: "string a1, int b2"`, `Token: "#d8dee9"`, "hello.cookie = hs.server2Hello.sessionCookie", "X_TOKEN = C.NL80211_PAYLOAD_TOKEN", "token := lexer2tokenOfAll", `token: "while_loop"`, "PASSWORD=short", `api_key: "{key_of_1}"`, "def f(password=hunter22, x=1):", `token="`, `\"token\":\"abc123`,
	} {
		if found := secret.Text(text); len(found) > 0 {
			t.Errorf("%q becomes %q", text, marked(t, text, found))
		}
	}
}

func FuzzSecret(f *testing.F) {
	for _, s := range []string{"--token a1 'b c' \"--x=y", `{"api_key":\"abc123def\"}`, "PASSWORD=hunter22\n-H 'A: b'", "https://u:p@h?token=x", "-H", "-", "="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var a secret.Args
		for _, found := range [][]secret.Span{secret.Text(text), secret.Line(text), secret.Addresses(text), a.Next(text), a.Next(text)} {
			marked(t, text, found)
		}
		secret.Name(text)
	})
}

// What a peer sends may not take longer for being odd: twice the size is about
// twice the work.
func BenchmarkHostile(b *testing.B) {
	for _, part := range []string{`"`, `token="`, `token=\"`, `token='token"`, "--token ", "://", "?token=", "a@:", "'", "sh -c '\"", "=", `\`, "-H A:"} {
		for _, n := range []int{64 << 10, 128 << 10} {
			text := strings.Repeat(part, n/len(part))
			b.Run(part+" "+strings.Repeat("x", n>>16), func(b *testing.B) {
				for range b.N {
					secret.Text(text)
					secret.Line(text)
				}
			})
		}
	}
}
