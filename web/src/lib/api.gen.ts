// Written by `make openapi` from contract/openapi.json.
export interface paths {
    "/.well-known/wire-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The keys that channels are opened with. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WireKeys"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wire/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["kalos.wire.channels.OpenBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["kalos.wire.channels.OpenAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.unknown_channel"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/captcha": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CaptchaWish"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["CaptchaAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/slide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CaptchaWish"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["SlideAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/slideVerify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SlideVerifyBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["ProofAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.wrong_captcha"] | components["schemas"]["refused.captcha_expired"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sendEmail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SendEmailBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Done"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.wrong_captcha"] | components["schemas"]["refused.captcha_expired"] | components["schemas"]["refused.slide_required"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RegisterBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["TokenAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.invalid_invite_code"] | components["schemas"]["refused.password_common"] | components["schemas"]["refused.password_format"] | components["schemas"]["refused.wrong_code"] | components["schemas"]["refused.already_exists"] | components["schemas"]["refused.code_expired"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LoginBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["TokenAnswer"];
                        } | {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["NeedAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.wrong_captcha"] | components["schemas"]["refused.wrong_code"] | components["schemas"]["refused.wrong_credentials"] | components["schemas"]["refused.captcha_expired"] | components["schemas"]["refused.slide_required"] | components["schemas"]["refused.account_frozen"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/resetPwd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResetBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Done"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.password_common"] | components["schemas"]["refused.password_format"] | components["schemas"]["refused.wrong_code"] | components["schemas"]["refused.second_factor_required"] | components["schemas"]["refused.code_expired"] | components["schemas"]["refused.slide_required"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/freeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FreezeBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Done"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.code_expired"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Done"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/getAuthToken": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["AuthTokenAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Paged"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_SessionShape_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/endSession": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EndSessionBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Done"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/securityLog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Paged"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_EventShape_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/antiPhishing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WordBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Done"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/upPwd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasswordBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Done"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.password_common"] | components["schemas"]["refused.password_format"] | components["schemas"]["refused.password_mismatch"] | components["schemas"]["refused.password_same"] | components["schemas"]["refused.wrong_code"] | components["schemas"]["refused.wrong_credentials"] | components["schemas"]["refused.second_factor_required"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.code_expired"] | components["schemas"]["refused.slide_required"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/bindEmail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EmailBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Done"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.wrong_code"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.already_exists"] | components["schemas"]["refused.code_expired"] | components["schemas"]["refused.slide_required"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CloseBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Done"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.wrong_code"] | components["schemas"]["refused.wrong_credentials"] | components["schemas"]["refused.second_factor_required"] | components["schemas"]["refused.wrong_out_password"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.code_expired"] | components["schemas"]["refused.balance_not_zero"] | components["schemas"]["refused.out_password_not_set"] | components["schemas"]["refused.self_excluded"] | components["schemas"]["refused.slide_required"] | components["schemas"]["refused.account_frozen"] | components["schemas"]["refused.out_password_locked"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/google": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["ShownAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/bindGoogle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BindBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["RecoveryAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.wrong_code"] | components["schemas"]["refused.wrong_credentials"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.code_expired"] | components["schemas"]["refused.slide_required"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/unbindGoogle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["UnbindBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Done"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.wrong_code"] | components["schemas"]["refused.wrong_credentials"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.code_expired"] | components["schemas"]["refused.slide_required"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/upOutPwd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OutPasswordBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Done"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.out_password_format"] | components["schemas"]["refused.password_mismatch"] | components["schemas"]["refused.password_same"] | components["schemas"]["refused.wrong_code"] | components["schemas"]["refused.wrong_credentials"] | components["schemas"]["refused.second_factor_required"] | components["schemas"]["refused.wrong_out_password"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.code_expired"] | components["schemas"]["refused.out_password_not_set"] | components["schemas"]["refused.slide_required"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.account_frozen"] | components["schemas"]["refused.out_password_locked"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/sendEmail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SendCodeBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Done"];
                        } | components["schemas"]["refused.invalid_amount"] | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/nonce": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NonceBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["NonceAnswer"];
                        } | components["schemas"]["refused.invalid_address"] | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/bindLogin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LoginWalletBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Done"];
                        } | components["schemas"]["refused.invalid_address"] | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.wrong_code"] | components["schemas"]["refused.second_factor_required"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.already_exists"] | components["schemas"]["refused.code_expired"] | components["schemas"]["refused.slide_required"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/bindWallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AddressBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["AddressShape"];
                        } | components["schemas"]["refused.invalid_address"] | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.wrong_code"] | components["schemas"]["refused.second_factor_required"] | components["schemas"]["refused.wrong_out_password"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.already_exists"] | components["schemas"]["refused.request_conflict"] | components["schemas"]["refused.code_expired"] | components["schemas"]["refused.house_address"] | components["schemas"]["refused.out_password_not_set"] | components["schemas"]["refused.slide_required"] | components["schemas"]["refused.account_frozen"] | components["schemas"]["refused.out_password_locked"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/walletList": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Paged"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["BookAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/delWallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RemovalBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Done"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.wrong_out_password"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.request_conflict"] | components["schemas"]["refused.out_password_not_set"] | components["schemas"]["refused.account_frozen"] | components["schemas"]["refused.out_password_locked"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/teamList": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TeamBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["TeamAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/shareList": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Paged"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_TeamLine_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/disclosures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["NoticesAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/acceptDisclosure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AcceptBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Done"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["LimitsAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.price_unavailable"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/setLimits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SetLimitsBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["LimitsAnswer"];
                        } | components["schemas"]["refused.invalid_amount"] | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.price_unavailable"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/takeBreak": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BreakBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["UntilAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/selfExclude": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ExcludeBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["UntilAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["InfoAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/finance/userFinance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["FinanceAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.price_unavailable"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/income": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["IncomeAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.price_unavailable"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/usdtLog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StatementBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_StatementLine_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/usdcLog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StatementBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_StatementLine_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/usoLog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StatementBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_StatementLine_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/usaLog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StatementBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_StatementLine_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/klsLog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StatementBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_StatementLine_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/usaFeeLog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StatementBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_StatementLine_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/betPointLog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StatementBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_StatementLine_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/energyLog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StatementBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_StatementLine_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/divvyLog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StatementBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_StatementLine_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/divvyWaitLog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StatementBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_StatementLine_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/powerLog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StatementBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_StatementLine_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/bwcLog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StatementBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_StatementLine_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/bwtLog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StatementBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_StatementLine_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/satsLog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StatementBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_StatementLine_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/domiLog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StatementBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_StatementLine_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/aleoLog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StatementBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_StatementLine_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/rrtLog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StatementBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_StatementLine_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recharge/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["DepositAddress"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recharge/recharge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["HashBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["DepositShape"];
                        } | components["schemas"]["refused.invalid_amount"] | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.request_running"] | components["schemas"]["refused.hash_mismatch"] | components["schemas"]["refused.hash_used"] | components["schemas"]["refused.submit_failed"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recharge/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ListBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_DepositShape_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dapp/rechargeList": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ListBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_DepositShape_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lp/chain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Chains"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/withdraw/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["TermsAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/withdraw/withdrawCoin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WithdrawBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["WithdrawalReceipt"];
                        } | components["schemas"]["refused.below_minimum"] | components["schemas"]["refused.invalid_amount"] | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.wrong_code"] | components["schemas"]["refused.second_factor_required"] | components["schemas"]["refused.wrong_out_password"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.request_conflict"] | components["schemas"]["refused.request_running"] | components["schemas"]["refused.code_expired"] | components["schemas"]["refused.house_address"] | components["schemas"]["refused.insufficient_balance"] | components["schemas"]["refused.kyc_required"] | components["schemas"]["refused.limit_reached"] | components["schemas"]["refused.money_out_stopped"] | components["schemas"]["refused.out_password_not_set"] | components["schemas"]["refused.price_changed"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.account_frozen"] | components["schemas"]["refused.address_waiting"] | components["schemas"]["refused.out_password_locked"] | components["schemas"]["refused.security_hold"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/withdraw/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WithdrawalsBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_WithdrawalRow_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/withdraw/receiveUsdt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ClaimBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["ClaimReceipt"];
                        } | components["schemas"]["refused.invalid_amount"] | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.request_conflict"] | components["schemas"]["refused.request_running"] | components["schemas"]["refused.claim_too_high"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/game/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["HallAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/game/scene": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SceneBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["SceneAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/game/beton": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BetBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["BetAnswer"];
                        } | components["schemas"]["refused.below_minimum"] | components["schemas"]["refused.invalid_amount"] | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.request_conflict"] | components["schemas"]["refused.request_running"] | components["schemas"]["refused.age_required"] | components["schemas"]["refused.betting_closed"] | components["schemas"]["refused.disclosure_required"] | components["schemas"]["refused.feature_off"] | components["schemas"]["refused.insufficient_balance"] | components["schemas"]["refused.kyc_required"] | components["schemas"]["refused.limit_reached"] | components["schemas"]["refused.player_limit"] | components["schemas"]["refused.price_unavailable"] | components["schemas"]["refused.round_closed"] | components["schemas"]["refused.self_excluded"] | components["schemas"]["refused.staff_account"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/game/getBlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RoundBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["NewestBlock"];
                        } | {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["RoundProof"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.block_processing"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/game/blockLog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BlockLogBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_ResultRow_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/game/orderList": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OrdersBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_BetRow_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/basic/gameplayDesc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["GameBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["GameplayAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/basic/bulletinList": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Paged"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_HeadingShape_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/basic/news": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Paged"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_HeadingShape_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/basic/bulletin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BulletinBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["BulletinShape"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/basic/banner": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Banners"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/basic/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["UploadBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["UploadAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/basic/uploadGrant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["GrantBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["GrantAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shop/uploadImg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["UploadImgBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["UploadAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["kalos.domains.support.api.OpenBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["kalos.domains.support.api.OpenAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Paged"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Tickets"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReplyBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Done"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/support/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TicketBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Thread"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/demo/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InboxBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Inbox"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/demo/captcha": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CaptchaBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["CaptchaCode"];
                        } | {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["SlidePlace"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/demo/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TotpBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["TotpCode"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/demo/faucet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FaucetBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Transaction"];
                        } | components["schemas"]["refused.invalid_amount"] | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/demo/mine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MineBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["HeadAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/demo/reorg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReorgBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["HeadAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/demo/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ClockBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Now"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StaffLoginBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["StaffLoginAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.wrong_credentials"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Done"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["StaffShape"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/changePassword": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChangePasswordBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Done"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.password_same"] | components["schemas"]["refused.wrong_credentials"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/newAuthenticator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewAuthenticatorBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["NewAuthenticatorAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.wrong_credentials"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/bindAuthenticator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BindAuthenticatorBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Done"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.wrong_code"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/changeKey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChangeKeyBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["StaffShape"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.wrong_credentials"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Paged"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_AuditRowShape_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CommandsBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_CommandShape_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PreviewBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["PreviewAnswer"];
                        } | components["schemas"]["refused.invalid_amount"] | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.own_account"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.insufficient_balance"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubmitBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["CommandShape"];
                        } | components["schemas"]["refused.invalid_amount"] | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.own_account"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.request_conflict"] | components["schemas"]["refused.insufficient_balance"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SignBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["CommandShape"];
                        } | components["schemas"]["refused.invalid_amount"] | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.own_account"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.request_conflict"] | components["schemas"]["refused.insufficient_balance"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RefuseBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["CommandShape"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.own_account"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.request_conflict"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Paged"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_PriceRow_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["SettingsAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/switches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["SwitchesAnswer"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Empty"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["DeskDashboard"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/withdrawals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DeskWithdrawalsBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_DeskWithdrawal_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/reviewWithdrawal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReviewWithdrawalBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["DeskWithdrawal"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.own_account"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.request_conflict"] | components["schemas"]["refused.request_running"] | components["schemas"]["refused.address_removed"] | components["schemas"]["refused.house_address"] | components["schemas"]["refused.money_out_stopped"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.account_frozen"] | components["schemas"]["refused.address_waiting"] | components["schemas"]["refused.security_hold"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/deposits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Paged"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_DeskDeposit_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/decideDeposit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DecideDepositBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["DeskDeposit"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.own_account"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.request_conflict"] | components["schemas"]["refused.request_running"] | components["schemas"]["refused.money_out_stopped"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.busy"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/strays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DeskStraysBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_DeskStray_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/decideStray": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DecideStrayBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["DeskStray"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.own_account"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.request_conflict"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DeskTicketsBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_DeskTicket_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/ticket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DeskTicketBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["DeskThread"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/answerTicket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AnswerTicketBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["DeskThread"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.request_conflict"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/closeTicket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CloseTicketBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["DeskThread"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.request_conflict"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/member": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DeskMemberBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["DeskMember"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/freezeMember": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ActOnMemberBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["DeskMember"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.own_account"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.request_conflict"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/openMember": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OpenMemberBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["DeskMember"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.own_account"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.request_conflict"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/bulletins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Paged"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["Rows_DeskBulletin_"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/bulletin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DeskBulletinBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["DeskBulletin"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/publishBulletin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PublishBulletinBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["DeskBulletin"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.request_conflict"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operator/retractBulletin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RetractBulletinBody"];
                };
            };
            responses: {
                /** @description Done, or refused: `code` tells. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @constant */
                            code: 200;
                            msg: string;
                            data: components["schemas"]["DeskBulletin"];
                        } | components["schemas"]["refused.invalid_input"] | components["schemas"]["refused.forbidden"] | components["schemas"]["refused.not_found"] | components["schemas"]["refused.session_ended"] | components["schemas"]["refused.request_conflict"] | components["schemas"]["refused.wrong_state"] | components["schemas"]["refused.too_many"] | components["schemas"]["refused.bad_signature"] | components["schemas"]["refused.stale_time"] | components["schemas"]["refused.replay"] | components["schemas"]["refused.unknown_channel"] | components["schemas"]["refused.envelope_required"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptBody: {
            /** @enum {unknown} */
            feature: "cards" | "consumer_dividend" | "divvy" | "games" | "house_exchange" | "insurance" | "lending" | "mining" | "nft" | "otc" | "pledge" | "racer_quiz" | "referral" | "spot";
            version: number;
        };
        ActOnMemberBody: {
            account: string;
            reason: string;
            request_id: string;
        };
        /** @description `address` with its checksum, `chain` as lp/chain has it, `label` of 1 to 32 signs. */
        AddressBody: {
            google_code?: string | null;
            email_code?: string | null;
            chain: number;
            address: string;
            label: string;
            out_password: string;
            proof?: string | null;
            request_id: string;
        };
        /** @description Withdrawals may go there from `usable_at` on. */
        AddressShape: {
            id: string;
            chain: number;
            address: string;
            label: string;
            /** @description Unix milliseconds */
            created_at: number;
            /** @description Unix milliseconds */
            usable_at: number;
        };
        AnswerTicketBody: {
            id: string;
            last_message: string;
            request_id: string;
            text: string | string[];
        };
        /** @description `hash` is SHA-256 of the hash of the row before and of this row. */
        AuditRowShape: {
            id: string;
            /** @description Unix milliseconds */
            at: number;
            staff: string;
            /** @enum {unknown} */
            act: "bulletin.publish" | "bulletin.retract" | "command.carried_out" | "command.expire" | "command.refuse" | "command.refused" | "command.sign" | "command.submit" | "deposit.credit" | "deposit.refuse" | "login" | "login.refused" | "logout" | "machine.order" | "member.freeze" | "member.open" | "restore" | "staff.account" | "staff.add" | "staff.authenticator" | "staff.authenticator_shown" | "staff.back" | "staff.end" | "staff.key" | "staff.password" | "staff.renewal_refused" | "stray.left" | "stray.returned" | "ticket.answer" | "ticket.close" | "withdrawal.no" | "withdrawal.yes";
            object: string;
            before: Record<string, never>;
            after: Record<string, never>;
            hash: string;
        };
        AuthTokenAnswer: {
            token: string;
            /** @description seconds */
            expires_in: number;
        };
        Balance: {
            asset: string;
            available: string;
            held: string;
        };
        /** @description `link` is http(s), or a page of ours, which begins with a stroke. */
        BannerShape: {
            id: string;
            title: string;
            summary: string;
            /** @enum {unknown} */
            lang: "en" | "ja" | "ko" | "th" | "tw" | "vi" | "zh_CN";
            link: string;
            picture: components["schemas"]["PictureShape"] | null;
        };
        Banners: {
            list: components["schemas"]["BannerShape"][];
        };
        BetAnswer: {
            id: string;
            /** @description the kind of move */
            kind: string;
            /** @enum {unknown} */
            status: "awaiting_draw" | "not_won" | "void" | "won";
            asset: string;
            amount: string;
            fee: string;
            fee_asset: string;
            received: string;
            balance: string;
            /** @description Unix milliseconds */
            at: number;
            bet_id: string;
            round: string;
            /** @description the number of a block */
            height: number;
        };
        BetBody: {
            scene_id: string;
            round: string;
            option: string;
            amount: string | number;
            balance_type: string;
            request_id: string;
        };
        /** @description `prize` is what came back, the stake included, null while it waits; so is `proof` until the root is published. */
        BetRow: {
            bet_id: string;
            game: string;
            scene_id: string;
            round: string;
            balance_type: string;
            amount: string;
            option: string;
            /** @description what a win pays for each coin, the stake included */
            multiple: string;
            /** @description a fraction, not percent */
            profit: string;
            prize: string | null;
            tie: boolean;
            /** @description the number of a block */
            height: number;
            hash: string | null;
            digit: number | null;
            /** @enum {unknown} */
            status: "awaiting_draw" | "not_won" | "void" | "won";
            /** @description Unix milliseconds */
            time: number;
            leaf: string;
            proof: components["schemas"]["Side"][] | null;
        };
        /** @description `code` is the first one of the new authenticator. */
        BindAuthenticatorBody: {
            code: string;
        };
        /** @description `code` is the authenticator's, `email_code` from a mail for the scene `google`. */
        BindBody: {
            /** @description the authenticator's six digits */
            code: string;
            password: string;
            /** @description six digits from a mail for this scene */
            email_code: string;
            proof?: string | null;
        };
        BlockLogBody: {
            page?: number;
            size?: number | null;
            page_num?: number | null;
            after?: string;
            scene_id?: string | null;
        };
        /** @description `digit` is what decides, `digit_index` its place in `hash`; both null where the hash has none. */
        BlockShape: {
            /** @description the number of a block */
            number: number;
            hash: string;
            parent: string;
            /** @description Unix milliseconds */
            time: number;
            digit: number | null;
            digit_index: number | null;
        };
        /** @description `wait_hours` is how long an address waits that is written down now. */
        BookAnswer: {
            list: components["schemas"]["BookRow"][];
            total: number;
            next: string | null;
            more?: boolean;
            wait_hours: number;
        };
        /** @description `last_used_at`: when a withdrawal to it was last asked for, whatever became of that. */
        BookRow: {
            id: string;
            chain: number;
            address: string;
            label: string;
            /** @description Unix milliseconds */
            created_at: number;
            /** @description Unix milliseconds */
            usable_at: number;
            last_used_at: number | null;
        };
        BreakBody: {
            days: number;
        };
        BulletinBody: {
            id: string;
        };
        /** @description `related`: up to three others of its kind, first the one that follows it in the list. */
        BulletinShape: {
            id: string;
            /** @enum {unknown} */
            kind: "news" | "notice";
            title: string;
            summary: string;
            /** @enum {unknown} */
            lang: "en" | "ja" | "ko" | "th" | "tw" | "vi" | "zh_CN";
            pinned: boolean;
            /** @description Unix milliseconds */
            time: number;
            picture: components["schemas"]["PictureShape"] | null;
            blocks: (components["schemas"]["Paragraph"] | components["schemas"]["Heading"] | components["schemas"]["Quote"] | components["schemas"]["Bullets"] | components["schemas"]["Code"] | components["schemas"]["Rule"] | components["schemas"]["PictureBlock"])[];
            related: components["schemas"]["HeadingShape"][];
        };
        /** @description `first` is the number of the first line; null where they have none. */
        Bullets: {
            /** @enum {unknown} */
            type: "bullets";
            first: number | null;
            items: components["schemas"]["Span"][][];
        };
        /** @description One of the two, as a data URL. Of `tones` the answer has a digit for each group: how many tones it has. */
        CaptchaAnswer: {
            captcha_id: string;
            image: string | null;
            tones: string | null;
            /** @description Unix milliseconds */
            expires_at: number;
        };
        CaptchaBody: {
            captcha_id: string;
        };
        CaptchaCode: {
            code: string;
        };
        /** @description `tones`: a sound instead of the picture, for whoever can't see it. */
        CaptchaWish: {
            /** @enum {unknown} */
            kind?: "picture" | "tones";
        };
        /** @description `height` is the last block that was read, `explorer` the beginning of its pages' addresses. */
        ChainShape: {
            chain_id: number;
            name: string;
            protocol: string;
            /** @description the number of a block */
            height: number;
            /** @description blocks on top of the deciding one */
            confirmations: number;
            explorer: string | null;
            contracts: components["schemas"]["ContractShape"][];
        };
        Chains: {
            list: components["schemas"]["ChainShape"][];
        };
        /** @description `signature` is by the new key, in hex: Ed25519 over "kalos reviewer key 1", the name and the key, each a line. */
        ChangeKeyBody: {
            password: string;
            code: string;
            public_key: string;
            signature: string;
        };
        /** @description `password` is the present one, `code` the authenticator's. */
        ChangePasswordBody: {
            password: string;
            code: string;
            new_password: string;
        };
        ClaimBody: {
            amount: string | number;
            request_id: string;
        };
        /** @description What was claimable is available. */
        ClaimReceipt: {
            id: string;
            /** @description the kind of move */
            kind: string;
            status: string;
            asset: string;
            amount: string;
            fee: string;
            fee_asset: string;
            received: string;
            balance: string;
            /** @description Unix milliseconds */
            at: number;
        };
        /** @description One of the two: `to` in milliseconds of business time. */
        ClockBody: {
            to?: number | null;
            advance_seconds?: number | null;
        };
        /** @description `out_password` where one is set. */
        CloseBody: {
            password: string;
            out_password?: string | null;
            proof?: string | null;
            google_code?: string | null;
            email_code?: string | null;
        };
        /** @description `last_message` is that of the ticket as it was shown. */
        CloseTicketBody: {
            id: string;
            last_message: string;
            request_id: string;
        };
        Code: {
            /** @enum {unknown} */
            type: "code";
            text: string;
        };
        /**
         * @description `before` and `after` are those that were shown when it was made; `can_sign` is the caller's,
         *     `is_own` whether it concerns their own account as a member.
         *
         *     `signed`: both have signed, the ledger's answer is still out. `checker` is who signed or refused it, `outcome` why
         *     it was refused.
         */
        CommandShape: {
            id: string;
            kind: string;
            object: string;
            /** @enum {unknown} */
            state: "carried_out" | "expired" | "open" | "refused" | "signed";
            version: string;
            /** @description of the kind: setting {name, value}; switch {feature, country?, is_on}; correction {asset, from, to, amount, note}, each party {account} or {house}; price {asset, rate}; signer_limit {limit, value}; money_out {}, which stops it */
            body: Record<string, never>;
            before: Record<string, never>;
            after: Record<string, never>;
            reason: string;
            signers: number;
            /** @description the text whose UTF-8 bytes both people sign; null: no key is needed */
            message: string | null;
            maker: string;
            /** @description Unix milliseconds */
            made_at: number;
            /** @description Unix milliseconds */
            expires_at: number;
            checker: string | null;
            decided_at: number | null;
            outcome: string | null;
            can_sign: boolean;
            is_own: boolean;
        };
        CommandsBody: {
            page?: number;
            size?: number | null;
            page_num?: number | null;
            after?: string;
            state?: ("carried_out" | "expired" | "open" | "refused" | "signed") | null;
        };
        ContractShape: {
            asset: string;
            address: string;
            decimals: number;
        };
        DayTotal: {
            day: string;
            total: string;
        };
        /** @description `revision` is that of the row as it was shown. */
        DecideDepositBody: {
            id: string;
            revision: number;
            /** @enum {unknown} */
            verdict: "credit" | "refuse";
            reason: string;
            request_id: string;
        };
        /** @description `payment` is the final transaction that sent it back, of nothing else. */
        DecideStrayBody: {
            id: string;
            /** @enum {unknown} */
            verdict: "left" | "returned";
            reason: string;
            request_id: string;
            payment?: string | null;
        };
        /**
         * @description `qr` is a data URL, `contract` the only one whose coins count.
         *
         *     `delayed`: the chain's nodes don't agree or stand still, so that what arrives shows later.
         */
        DepositAddress: {
            asset: string;
            address: string;
            qr: string;
            protocol: string;
            chain_id: number;
            contract: string;
            minimum: string;
            /** @description blocks on top of the deciding one */
            confirmations: number;
            delayed: boolean;
        };
        DepositShape: {
            id: string;
            asset: string;
            amount: string;
            /** @enum {unknown} */
            status: "approved" | "failed" | "on_chain_processing" | "pending_review" | "refused";
            reason: ("below_minimum" | "closed_account" | "house" | "listed_sender" | "orphaned" | "other_asset" | "repeated" | "reverted") | null;
            hash: string;
            /** @description the number of a block */
            block: number;
            /** @description blocks on top of the deciding one */
            confirmations: number;
            /** @description blocks on top of the deciding one */
            required: number;
            protocol: string;
            /** @description Unix milliseconds */
            time: number;
        };
        /** @description `reserved` is set aside for the heights whose betting is open. */
        DeskBankroll: {
            asset: string;
            available: string;
            reserved: string;
        };
        /**
         * @description Shown from `from_at` until just before `until_at` (null: for ever) unless it was retracted.
         *
         *     `changed_at` is another one after each change; `texts` begin with the English one.
         */
        DeskBulletin: {
            id: string;
            name: string;
            /** @enum {unknown} */
            kind: "banner" | "news" | "notice";
            /** @enum {unknown} */
            state: "over" | "retracted" | "shown" | "waiting";
            pinned: boolean;
            link: string | null;
            picture: string | null;
            /** @description Unix milliseconds */
            from_at: number;
            until_at: number | null;
            /** @description Unix milliseconds */
            changed_at: number;
            texts: components["schemas"]["DeskText"][];
        };
        DeskBulletinBody: {
            id: string;
        };
        /**
         * @description `height` is the last block that was read, `head` that of the nodes: null while they don't answer.
         *
         *     `gas` is what the hot wallet that the signer pays from has of the chain's own coin (all together before it
         *     has looked); null before the first look.
         */
        DeskChain: {
            height: number;
            head: number | null;
            lag_blocks: number | null;
            gas: string | null;
            gas_low: boolean;
        };
        DeskDashboard: {
            /** @description Unix milliseconds */
            at: number;
            assets: components["schemas"]["DeskReserves"][];
            bankroll: components["schemas"]["DeskBankroll"][];
            payables: components["schemas"]["DeskPayable"][];
            queues: components["schemas"]["DeskQueue"][];
            jobs: components["schemas"]["DeskJob"][];
            chain: components["schemas"]["DeskChain"];
            money_out: components["schemas"]["DeskMoneyOut"];
            prices: components["schemas"]["DeskPrice"][];
            results: components["schemas"]["DeskResults"];
        };
        /** @description `verdicts` are what may be decided; an empty `account` is the house. */
        DeskDeposit: {
            id: string;
            revision: number;
            account: string;
            asset: string;
            amount: string;
            /** @enum {unknown} */
            status: "approved" | "failed" | "on_chain_processing" | "pending_review" | "refused";
            reason: ("below_minimum" | "closed_account" | "house" | "listed_sender" | "orphaned" | "other_asset" | "repeated" | "reverted") | null;
            verdicts: ("credit" | "refuse")[];
            effects: components["schemas"]["DeskEffect"][];
            transaction: string;
            sender: string;
            /** @description Unix milliseconds */
            seen_at: number;
            age_seconds: number;
        };
        /**
         * @description With `verdict` a balance goes from `before` to `after`; an empty `account` is the house. Of a withdrawal's yes:
         *     once it is paid.
         */
        DeskEffect: {
            /** @enum {unknown} */
            verdict: "credit" | "no" | "refuse" | "yes";
            account: string;
            place: string;
            asset: string;
            before: string;
            after: string;
        };
        /** @description Of the member's security log. */
        DeskEvent: {
            title: string;
            network: string;
            device: string;
            /** @description Unix milliseconds */
            at: number;
        };
        /**
         * @description Of its last run: null where no worker has told of one yet. While one is under way, `started_at` is later than
         *     `ended_at`, and `result` and `error` are of the run before; `waits`: for something outside.
         */
        DeskJob: {
            name: string;
            last_at: number | null;
            is_late: boolean;
            started_at: number | null;
            ended_at: number | null;
            result: ("done" | "failed" | "waits") | null;
            error: string | null;
        };
        /**
         * @description `state` says who froze a frozen account: what the house froze, a new password doesn't open.
         *
         *     `sessions` and `events`: the last ones, the latest first.
         */
        DeskMember: {
            account: string;
            email: string;
            country: string | null;
            /** @description Unix milliseconds */
            registered_at: number;
            /** @enum {unknown} */
            state: "closed" | "frozen_by_house" | "frozen_by_owner" | "open";
            frozen_at: number | null;
            out_password_set: boolean;
            google_bound: boolean;
            withdrawals_held_until: number | null;
            limits: components["schemas"]["SetLimits"];
            sessions: components["schemas"]["DeskSession"][];
            events: components["schemas"]["DeskEvent"][];
        };
        /** @description `name`: the whole account number or e-mail address. */
        DeskMemberBody: {
            name: string;
        };
        /**
         * @description `staff` is who wrote it in the console, null for members and for commands on the machine; `images` show the
         *     pictures for an hour at least.
         */
        DeskMessage: {
            id: string;
            /** @enum {unknown} */
            by: "house" | "member";
            staff: string | null;
            text: string;
            images: string[];
            /** @description Unix milliseconds */
            at: number;
        };
        DeskMoneyOut: {
            stopped: boolean;
            reason: string | null;
        };
        /** @description What an account of the house couldn't pay yet. */
        DeskPayable: {
            account: string;
            asset: string;
            amount: string;
            count: number;
            /** @description Unix milliseconds */
            oldest_at: number;
        };
        DeskPrice: {
            asset: string;
            rate: string;
            /** @description Unix milliseconds */
            at: number;
            source: string;
            is_stale: boolean;
        };
        /** @description `count` goes up to 1,000. */
        DeskQueue: {
            /** @enum {unknown} */
            name: "commands" | "deposits" | "strays" | "tickets" | "withdrawals";
            count: number;
            oldest_at: number | null;
        };
        /** @description At the last look; `covered`: no less is there than must be. `liabilities` are what the ledger owes. */
        DeskReserves: {
            asset: string;
            liabilities: string;
            hot: string;
            cold: string;
            deposits: string;
            reserves: string;
            covered: boolean;
        };
        /**
         * @description Turnover is of all that the ledger has posted, the last at `turnover_at`.
         *
         *     Returns are of rounds that are settled and counted, the last settled at `counted_at`; `behind` facts are still to be
         *     counted. `open_stakes` wait for their draw; of the rounds whose time is over `open_rounds` aren't settled, the
         *     oldest closed at `open_since`.
         */
        DeskResults: {
            day: string;
            turnover: components["schemas"]["DeskTurnover"][];
            /** @description Unix milliseconds */
            turnover_at: number;
            returns: components["schemas"]["DeskReturn"][];
            counted_at: number | null;
            behind: number;
            open_stakes: components["schemas"]["DeskStakes"][];
            open_rounds: number;
            open_since: number | null;
        };
        /** @description `promised` is what the game gives back by its rules. */
        DeskReturn: {
            game: string;
            asset: string;
            /** @description a fraction, not percent */
            promised: string;
            today: components["schemas"]["DeskReturned"];
            last_30_days: components["schemas"]["DeskReturned"];
        };
        /** @description Of settled bets; `paid` has the stakes of wins in it, `rate` is paid out of staked: null where nothing was. */
        DeskReturned: {
            bets: number;
            staked: string;
            paid: string;
            rate: string | null;
        };
        /** @description `round` of the withdrawal in which it was said; `counts`: in this round, by who still reviews. */
        DeskReview: {
            staff: string;
            /** @enum {unknown} */
            verdict: "no" | "yes";
            reason: string;
            /** @description Unix milliseconds */
            at: number;
            round: number;
            counts: boolean;
        };
        /** @description `detail` is a time in ms, an amount in USDT, a login wallet, or empty. */
        DeskRisk: {
            /** @enum {unknown} */
            reason: "account_frozen" | "address_removed" | "house_address" | "kyc_free_limit" | "listed_address" | "listed_since" | "new_address" | "not_reviewed" | "over_auto_max" | "over_daily_limit" | "recent_security_change" | "restored" | "security_hold" | "young_address";
            detail: string;
        };
        /** @description `last_at` is told to the hour. */
        DeskSession: {
            device: string;
            network: string;
            /** @description Unix milliseconds */
            last_at: number;
        };
        DeskStakes: {
            asset: string;
            staked: string;
        };
        /**
         * @description `units` are whole ones of the contract, whose decimals nobody here knows; `payment` sent them back.
         *
         *     `listed`: the list of sanctions has the sender. `staff` decided it.
         */
        DeskStray: {
            id: string;
            account: string;
            chain_id: number;
            contract: string;
            units: string;
            sender: string;
            listed: boolean;
            address: string;
            transaction: string;
            /** @description Unix milliseconds */
            seen_at: number;
            age_seconds: number;
            /** @enum {unknown} */
            state: "left" | "open" | "returned";
            staff: string | null;
            reason: string | null;
            payment: string | null;
            decided_at: number | null;
        };
        /** @description `account`: of this member alone. */
        DeskStraysBody: {
            page?: number;
            size?: number | null;
            page_num?: number | null;
            after?: string;
            /** @enum {unknown} */
            state?: "left" | "open" | "returned";
            account?: string | null;
        };
        /** @description In one language; `lines` are Markdown. */
        DeskText: {
            /** @enum {unknown} */
            lang: "en" | "ja" | "ko" | "th" | "tw" | "vi" | "zh_CN";
            title: string;
            lines: string[];
        };
        /** @description The oldest message first. */
        DeskThread: {
            ticket: components["schemas"]["DeskTicket"];
            messages: components["schemas"]["DeskMessage"][];
        };
        /**
         * @description `last` is how the last message begins, `last_message` its number; `lang` the language that the member wrote in.
         *
         *     `age_seconds`: since when an open one waits for the house; of others, when something was written last.
         */
        DeskTicket: {
            id: string;
            account: string;
            subject: string;
            /** @enum {unknown} */
            state: "answered" | "closed" | "open";
            lang: string;
            last: string;
            last_message: string;
            messages: number;
            /** @description Unix milliseconds */
            created_at: number;
            age_seconds: number;
        };
        DeskTicketBody: {
            id: string;
        };
        /** @description `account`: of this member alone. */
        DeskTicketsBody: {
            page?: number;
            size?: number | null;
            page_num?: number | null;
            after?: string;
            /** @enum {unknown} */
            state?: "answered" | "closed" | "open";
            account?: string | null;
        };
        /** @description Of today's business day (UTC+8), and of it with the 29 before. */
        DeskTurnover: {
            /** @enum {unknown} */
            product: "fee_purchases" | "games" | "top_ups" | "withdrawal_fees" | "withdrawals";
            asset: string;
            today: string;
            last_30_days: string;
        };
        /**
         * @description `message` is the text whose UTF-8 bytes a yes signs; `needed` says how many must say yes; `fee` is in KLS.
         *
         *     `round` counts how often it came back: reviews of an earlier one count no longer.
         */
        DeskWithdrawal: {
            id: string;
            revision: number;
            account: string;
            asset: string;
            amount: string;
            value: string;
            fee: string;
            address: string;
            label: string;
            /** @enum {unknown} */
            status: "approved" | "failed" | "on_chain_processing" | "pending_review" | "refused";
            needed: number;
            round: number;
            risks: components["schemas"]["DeskRisk"][];
            reviews: components["schemas"]["DeskReview"][];
            effects: components["schemas"]["DeskEffect"][];
            message: string;
            /** @description Unix milliseconds */
            requested_at: number;
            age_seconds: number;
            transaction: string | null;
        };
        DeskWithdrawalsBody: {
            page?: number;
            size?: number | null;
            page_num?: number | null;
            after?: string;
            /** @enum {unknown} */
            status?: "approved" | "failed" | "on_chain_processing" | "pending_review" | "refused";
        };
        /** @description No fields. */
        Done: Record<string, never>;
        /** @description `code` went to the new address, `old_code` to the one that is bound, both for the scene `bind`. */
        EmailBody: {
            email: string;
            /** @description six digits from a mail for this scene */
            code: string;
            /** @description six digits from a mail for this scene */
            old_code: string;
            proof?: string | null;
        };
        /** @description No fields. */
        Empty: Record<string, never>;
        /** @description `others` are all sessions but the one that asks. */
        EndSessionBody: {
            id: string;
        };
        /** @description `title` is the event in the caller's language; withdrawals were held for it until `held_until`. */
        EventShape: {
            id: string;
            /** @description Unix milliseconds */
            time: number;
            event: string;
            title: string;
            /** @description an address, or of IPv6 its /64 */
            network: string;
            /** @description what its browser says it is */
            device: string;
            held_until: number | null;
        };
        ExcludeBody: {
            months: number;
        };
        /** @description `listed`: the coins come from an address on the sandbox's list of sanctions. */
        FaucetBody: {
            amount: string | number;
            listed?: boolean;
        };
        /** @description A field that isn't of its form, by its path, and one word on why. */
        Fault: {
            field: string;
            reason: string;
        };
        /** @description Amounts are in USDT; `change_24h` is signed. */
        FinanceAnswer: {
            total: string;
            change_24h: string;
            price_source: components["schemas"]["PriceSource"];
            history: components["schemas"]["DayTotal"][];
            list: components["schemas"]["ValuedBalance"][];
        };
        FreezeBody: {
            token: string;
        };
        GameBody: {
            game: string;
        };
        /** @description `rules` are sentences in the caller's language. */
        GameplayAnswer: {
            game: string;
            rules: string[];
            /** @description a fraction, not percent */
            return_to_player: string;
            options: components["schemas"]["Option"][];
        };
        /** @description `path` is the last part of the address: PUT /api/upload/{path}, once, without an envelope. */
        GrantAnswer: {
            path: string;
            upload_id: string;
            /** @description Unix milliseconds */
            expires_at: number;
        };
        /** @description `size` is in bytes. */
        GrantBody: {
            /** @enum {unknown} */
            purpose: "kyc" | "picture" | "shop";
            /** @enum {unknown} */
            type: "image/jpeg" | "image/png" | "image/webp";
            size: number;
            sha256: string;
        };
        /** @description `hot` are the games that most members bet in, in that order; `head` is null while the chain doesn't answer. */
        HallAnswer: {
            list: components["schemas"]["HallGame"][];
            hot: string[];
            /** @description Unix milliseconds */
            server_time: number;
            head: components["schemas"]["BlockShape"] | null;
            /** @description why no bets are taken: the chain's nodes or clocks disagree */
            betting_closed: ("chain" | "clock") | null;
        };
        /** @description `online` members bet in it in the last five minutes. */
        HallGame: {
            game: string;
            /** @description a fraction, not percent */
            return_to_player: string;
            online: number;
            scenes: components["schemas"]["HallScene"][];
        };
        HallScene: {
            scene_id: string;
            round: string | null;
            state: ("drawn" | "open" | "sealed" | "settled" | "void") | null;
            opens_at: number | null;
            closes_at: number | null;
            height: number | null;
            /** @description seconds */
            seconds: number;
            balance_types: string[];
            room: {
                [key: string]: string;
            };
        };
        HashBody: {
            hash: string;
            amount?: string | number | null;
        };
        Head: {
            /** @description the number of a block */
            number: number;
            hash: string;
            /** @description Unix milliseconds */
            time: number;
        };
        HeadAnswer: {
            head: components["schemas"]["Head"];
        };
        Heading: {
            /** @enum {unknown} */
            type: "heading";
            level: number;
            spans: components["schemas"]["Span"][];
        };
        /** @description `lang` is the language of its texts: the caller's, or en where there is none in it. */
        HeadingShape: {
            id: string;
            /** @enum {unknown} */
            kind: "news" | "notice";
            title: string;
            summary: string;
            /** @enum {unknown} */
            lang: "en" | "ja" | "ko" | "th" | "tw" | "vi" | "zh_CN";
            pinned: boolean;
            /** @description Unix milliseconds */
            time: number;
            picture: components["schemas"]["PictureShape"] | null;
        };
        Inbox: {
            list: components["schemas"]["MailShape"][];
        };
        /** @description `email` is an address, or the account that has one: the page of a member doesn't know the whole address. */
        InboxBody: {
            email: string;
        };
        /** @description Values in USDT at the present price; days are business days. */
        IncomeAnswer: {
            today: components["schemas"]["IncomeSums"];
            yesterday: components["schemas"]["IncomeSums"];
            total: components["schemas"]["IncomeSums"];
            price_source: components["schemas"]["PriceSource"];
        };
        /** @description What came to the member in some time, by its source. `game` is what was won less the stakes that were lost. */
        IncomeSums: {
            dividend: string;
            referral: string;
            release: string;
            game: string;
            shop: string;
            total: string;
        };
        /**
         * @description `invite_link` is an address of the page; `superior` is null for the root account.
         *
         *     `vip_level` follows from the member's own turnover of 30 days.
         */
        InfoAnswer: {
            turnover: string;
            team_turnover: string;
            personal_performance: string;
            team_performance: string;
            large_zone: string;
            small_zone: string;
            level: number;
            direct_users: number;
            team_users: number;
            /** @description eight digits */
            account: string;
            email: string;
            invite_code: string;
            invite_link: string;
            superior: string | null;
            /** @description Unix milliseconds */
            registered_at: number;
            vip_level: number;
            share_user_list: components["schemas"]["InvitedList"];
            email_bound: boolean;
            out_password_set: boolean;
            /** @description until it is set anew */
            out_password_locked: boolean;
            google_bound: boolean;
            /** @description the word that mails show */
            anti_phishing: string | null;
            withdrawals_held_until: number | null;
            /** @description the hours that a change of password or factor holds withdrawals */
            security_hold: number;
            /** @description declared at registration, ISO 3166-1 alpha-2 */
            country: string | null;
            limits: components["schemas"]["SetLimits"];
            login_wallets: components["schemas"]["LoginWallet"][];
            balances: components["schemas"]["Balance"][];
        };
        Invited: {
            /** @description eight digits */
            account: string;
            /** @description Unix milliseconds */
            registered_at: number;
        };
        /** @description The last ten whom the member invited, and how many they are in all. */
        InvitedList: {
            list: components["schemas"]["Invited"][];
            total: number;
        };
        /**
         * @description `reminder` is the minutes after which the page reminds; `result`, in USDT, is today's prizes less lost stakes,
         *     what is open apart. A limit that is raised now counts from `raise_from` on.
         */
        LimitsAnswer: {
            stake: components["schemas"]["OwnLimit"];
            loss: components["schemas"]["OwnLimit"];
            topup: components["schemas"]["OwnLimit"];
            reminder: number | null;
            result: string;
            /** @description Unix milliseconds */
            raise_from: number;
            paused_until: number | null;
            excluded_until: number | null;
        };
        ListBody: {
            page?: number;
            size?: number | null;
            page_num?: number | null;
            after?: string;
            status?: ("approved" | "failed" | "on_chain_processing" | "pending_review" | "refused") | null;
        };
        /**
         * @description With `password`, `code` is what the captcha's picture says. With `sign_message`, `name` is a login wallet's
         *     address, `code` the nonce, and `sign_message` the signature of its message; a captcha may come along, and nothing
         *     is read from it, for there is no room for its text. Both need `proof` after failures. `device` is what the last
         *     login on this device gave.
         */
        LoginBody: {
            /** @description the account's number, its e-mail or its wallet */
            name: string;
            code: string;
            password?: string | null;
            captcha_id?: string | null;
            sign_message?: string | null;
            proof?: string | null;
            google_code?: string | null;
            device?: string | null;
        };
        /** @description Logs its member in, and proves what it does in blocks after `bound_at`. */
        LoginWallet: {
            address: string;
            /** @description Unix milliseconds */
            bound_at: number;
        };
        /** @description `code` is the nonce, `sign_message` the signature of its message; with `remove` neither is needed. */
        LoginWalletBody: {
            google_code?: string | null;
            email_code?: string | null;
            address: string;
            code?: string | null;
            sign_message?: string | null;
            proof?: string | null;
            remove?: boolean;
        };
        MailShape: {
            /** @description Unix milliseconds */
            time: number;
            subject: string;
            text: string;
            code: string | null;
        };
        /** @description `daily_left` is in USDT of value, for both coins together; the fee is `fee_rate` of the value, in `fee_asset`. */
        Means: {
            /**
             * @description 1 is USDT, 2 is KLS
             * @enum {unknown}
             */
            coin_type: 1 | 2;
            asset: string;
            available: string;
            minimum: string;
            /** @description a fraction, not percent */
            fee_rate: string;
            fee_asset: string;
            daily_left: string;
        };
        /** @description `images` show the pictures for an hour at least. */
        MessageShape: {
            id: string;
            /** @enum {unknown} */
            by: "house" | "member";
            text: string;
            images: string[];
            /** @description Unix milliseconds */
            time: number;
        };
        MineBody: {
            blocks?: number;
        };
        /** @description The password is right, and the member has an authenticator: the same call again with `google_code`. */
        NeedAnswer: {
            /** @enum {unknown} */
            need: "google";
        };
        /** @description Shown this once, to be confirmed within ten minutes; `otpauth` is what an authenticator reads as a picture. */
        NewAuthenticatorAnswer: {
            secret: string;
            otpauth: string;
        };
        /** @description `code` is of the authenticator that counts until now. */
        NewAuthenticatorBody: {
            password: string;
            code: string;
        };
        /** @description `explorer` is null where the chain has none. */
        NewestBlock: {
            /** @description the number of a block */
            number: number;
            hash: string;
            /** @description Unix milliseconds */
            time: number;
            digit: number | null;
            digit_index: number | null;
            explorer: string | null;
        };
        /** @description `message` is the very text to sign: to log in for a visitor, to bind the wallet for whoever has a session. */
        NonceAnswer: {
            nonce: string;
            message: string;
            /** @description Unix milliseconds */
            expires_at: number;
        };
        NonceBody: {
            address: string;
        };
        /** @description `accepted_at` is null where it has still to be accepted, 0 where it came with demo mode's registration. */
        NoticeRow: {
            /** @enum {unknown} */
            feature: "cards" | "consumer_dividend" | "divvy" | "games" | "house_exchange" | "insurance" | "lending" | "mining" | "nft" | "otc" | "pledge" | "racer_quiz" | "referral" | "spot";
            version: number;
            text: string;
            /** @description whether the feature can be used in the member's country */
            on: boolean;
            accepted_at: number | null;
        };
        NoticesAnswer: {
            list: components["schemas"]["NoticeRow"][];
        };
        Now: {
            /** @description Unix milliseconds */
            now: number;
        };
        /** @description `frozen_at` as it was shown: what was frozen anew meanwhile stays so. */
        OpenMemberBody: {
            account: string;
            reason: string;
            request_id: string;
            /** @description Unix milliseconds */
            frozen_at: number;
        };
        Option: {
            option: string;
            /** @description what a win pays for each coin, the stake included */
            multiple: string;
            /** @description a fraction, not percent */
            profit: string;
            /** @description a fraction, not percent */
            chance: string;
        };
        /** @description `staff` ordered it, `checker` signed it where two were asked. */
        Ordered: {
            value: string;
            /** @description Unix milliseconds */
            at: number;
            staff: string;
            checker: string | null;
            reason: string;
        };
        OrdersBody: {
            page?: number;
            size?: number | null;
            page_num?: number | null;
            after?: string;
            game?: string | null;
            status?: ("awaiting_draw" | "not_won" | "void" | "won") | null;
        };
        /**
         * @description One of three: the first one with the login's `password`, a change with `old_password`, both with the second
         *     factor; a forgotten one with `email_code`, and `google_code` where an authenticator is bound.
         */
        OutPasswordBody: {
            new_password: string;
            confirm_password: string;
            password?: string | null;
            old_password?: string | null;
            google_code?: string | null;
            email_code?: string | null;
            proof?: string | null;
        };
        /** @description In USDT; null is no limit. `used` is today's. From `next_from` on `next_amount` counts instead. */
        OwnLimit: {
            amount: string | null;
            used: string;
            next_amount: string | null;
            next_from: number | null;
        };
        /** @description `size` or `page_num` rows of `page`, or the rows after `after` (the last answer's `next`). */
        Paged: {
            page?: number;
            size?: number | null;
            page_num?: number | null;
            after?: string;
        };
        Paragraph: {
            /** @enum {unknown} */
            type: "paragraph";
            spans: components["schemas"]["Span"][];
        };
        /** @description `device` is what the last login on this device gave: it stays known, all others are forgotten. */
        PasswordBody: {
            old_password: string;
            new_password: string;
            confirm_password: string;
            proof?: string | null;
            google_code?: string | null;
            email_code?: string | null;
            device?: string | null;
        };
        /** @description `alt` says in words what it shows. */
        PictureBlock: {
            /** @enum {unknown} */
            type: "picture";
            url: string;
            width: number;
            height: number;
            alt: string;
        };
        /** @description `url` shows it for a day at least; `width` and `height` are in pixels. */
        PictureShape: {
            url: string;
            width: number;
            height: number;
        };
        PreviewAnswer: {
            object: string;
            before: Record<string, never>;
            after: Record<string, never>;
            version: string;
            signers: number;
            /** @description the text whose UTF-8 bytes both people sign; null: no key is needed */
            message: string | null;
        };
        PreviewBody: {
            kind: string;
            /** @description of the kind: setting {name, value}; switch {feature, country?, is_on}; correction {asset, from, to, amount, note}, each party {account} or {house}; price {asset, rate}; signer_limit {limit, value}; money_out {}, which stops it */
            body: Record<string, never>;
        };
        /** @description USDT for one whole coin from `at` on. `staff` ordered it, `checker` signed it: nobody the first one. */
        PriceRow: {
            id: string;
            asset: string;
            rate: string;
            /** @description Unix milliseconds */
            at: number;
            staff: string;
            checker: string | null;
            reason: string;
        };
        PriceSource: {
            asset: string;
            price: string;
            /** @description Unix milliseconds */
            at: number;
            source: string;
        };
        /** @description `proof` allows one call that asks for a slide. */
        ProofAnswer: {
            proof: string;
            /** @description Unix milliseconds */
            expires_at: number;
        };
        /** @description `kem`, `kdf` and `aead` by their numbers in RFC 9180, `pk` the point in base64. */
        PublicKey: {
            /** @enum {unknown} */
            aead: 2;
            /** @description Unix seconds */
            exp: number;
            /** @enum {unknown} */
            kdf: 1;
            /** @enum {unknown} */
            kem: 16;
            kid: string;
            /** @description Unix seconds */
            nbf: number;
            pk: string;
        };
        /**
         * @description `changed_at` is that of the bulletin as it was shown, null for a new name. Without `from_at` it is shown at once,
         *     or since when it was.
         */
        PublishBulletinBody: {
            name: string;
            /** @enum {unknown} */
            kind: "banner" | "news" | "notice";
            texts: components["schemas"]["DeskText"][];
            request_id: string;
            pinned?: boolean;
            link?: string | null;
            picture?: string | null;
            from_at?: number | null;
            until_at?: number | null;
            changed_at?: number | null;
        };
        Quote: {
            /** @enum {unknown} */
            type: "quote";
            spans: components["schemas"]["Span"][];
        };
        /** @description Each stands in for the authenticator once; they are shown this once. */
        RecoveryAnswer: {
            recovery_codes: string[];
        };
        RefuseBody: {
            id: string;
            reason: string;
            request_id: string;
        };
        RegisterBody: {
            invite_code: string;
            email: string;
            email_code: string;
            password: string;
            country?: string | null;
            birth_date?: string | null;
            terms_version?: string | null;
            device?: string | null;
        };
        RemovalBody: {
            id: string;
            out_password: string;
            request_id: string;
        };
        ReorgBody: {
            depth: number;
        };
        ReplyBody: {
            ticket_id: string;
            text: string | string[];
            images?: string[];
        };
        /** @description `device` as for logging in: a known one has tries of its own. */
        ResetBody: {
            email: string;
            email_code: string;
            password: string;
            proof?: string | null;
            google_code?: string | null;
            device?: string | null;
        };
        /** @description A round that takes no more bets; the root over its bets is null until it is published, before the block is. */
        ResultRow: {
            scene_id: string;
            round: string;
            /** @enum {unknown} */
            state: "drawn" | "open" | "sealed" | "settled" | "void";
            /** @description Unix milliseconds */
            opens_at: number;
            /** @description Unix milliseconds */
            closes_at: number;
            /** @description the number of a block */
            height: number;
            hash: string | null;
            digit: number | null;
            outcome: string | null;
            merkle_root: string | null;
            bet_count: number | null;
            void_reason: ("late_block" | "no_block" | "no_digit") | null;
        };
        /** @description `changed_at` is that of the bulletin as it was shown. */
        RetractBulletinBody: {
            id: string;
            /** @description Unix milliseconds */
            changed_at: number;
            request_id: string;
        };
        /** @description `revision` is that of the row as it was shown; `signature` is for a yes: Ed25519 over `message`, in hex. */
        ReviewWithdrawalBody: {
            id: string;
            revision: number;
            /** @enum {unknown} */
            verdict: "no" | "yes";
            reason: string;
            request_id: string;
            signature?: string | null;
        };
        /** @description Why people look at it; `detail` is a point in time in ms, an amount in USDT, a login wallet, or empty. */
        RiskShape: {
            /** @enum {unknown} */
            reason: "account_frozen" | "address_removed" | "house_address" | "kyc_free_limit" | "listed_address" | "listed_since" | "new_address" | "not_reviewed" | "over_auto_max" | "over_daily_limit" | "recent_security_change" | "restored" | "security_hold" | "young_address";
            detail: string;
        };
        /** @description Without a round: the newest block. */
        RoundBody: {
            round?: string | null;
        };
        /** @description All inputs of a round's result; `result_window` are the seconds after the close in which its block must come. */
        RoundProof: {
            round: string;
            scene_id: string;
            game: string;
            /** @enum {unknown} */
            state: "drawn" | "open" | "sealed" | "settled" | "void";
            outcome: string | null;
            /** @description Unix milliseconds */
            opens_at: number;
            /** @description Unix milliseconds */
            closes_at: number;
            /** @description the number of a block */
            height: number;
            /** @description Unix milliseconds */
            published_at: number;
            /** @description the number of a block */
            published_head: number;
            /** @description seconds */
            block_seconds: number;
            /** @description blocks */
            margin: number;
            /** @description seconds */
            result_window: number;
            block: components["schemas"]["BlockShape"] | null;
            provisional: boolean;
            merkle_root: string | null;
            bet_count: number | null;
            confirmations: number | null;
            required: number;
            explorer: string | null;
            void_reason: ("late_block" | "no_block" | "no_digit") | null;
        };
        /**
         * @description One page: `next` is what the following call sends as `after`, null at the end.
         *
         *     `more` stands there only where more rows follow than `total` counts.
         */
        Rows_AuditRowShape_: {
            list: components["schemas"]["AuditRowShape"][];
            total: number;
            next: string | null;
            more?: boolean;
        };
        /**
         * @description One page: `next` is what the following call sends as `after`, null at the end.
         *
         *     `more` stands there only where more rows follow than `total` counts.
         */
        Rows_BetRow_: {
            list: components["schemas"]["BetRow"][];
            total: number;
            next: string | null;
            more?: boolean;
        };
        /**
         * @description One page: `next` is what the following call sends as `after`, null at the end.
         *
         *     `more` stands there only where more rows follow than `total` counts.
         */
        Rows_CommandShape_: {
            list: components["schemas"]["CommandShape"][];
            total: number;
            next: string | null;
            more?: boolean;
        };
        /**
         * @description One page: `next` is what the following call sends as `after`, null at the end.
         *
         *     `more` stands there only where more rows follow than `total` counts.
         */
        Rows_DepositShape_: {
            list: components["schemas"]["DepositShape"][];
            total: number;
            next: string | null;
            more?: boolean;
        };
        /**
         * @description One page: `next` is what the following call sends as `after`, null at the end.
         *
         *     `more` stands there only where more rows follow than `total` counts.
         */
        Rows_DeskBulletin_: {
            list: components["schemas"]["DeskBulletin"][];
            total: number;
            next: string | null;
            more?: boolean;
        };
        /**
         * @description One page: `next` is what the following call sends as `after`, null at the end.
         *
         *     `more` stands there only where more rows follow than `total` counts.
         */
        Rows_DeskDeposit_: {
            list: components["schemas"]["DeskDeposit"][];
            total: number;
            next: string | null;
            more?: boolean;
        };
        /**
         * @description One page: `next` is what the following call sends as `after`, null at the end.
         *
         *     `more` stands there only where more rows follow than `total` counts.
         */
        Rows_DeskStray_: {
            list: components["schemas"]["DeskStray"][];
            total: number;
            next: string | null;
            more?: boolean;
        };
        /**
         * @description One page: `next` is what the following call sends as `after`, null at the end.
         *
         *     `more` stands there only where more rows follow than `total` counts.
         */
        Rows_DeskTicket_: {
            list: components["schemas"]["DeskTicket"][];
            total: number;
            next: string | null;
            more?: boolean;
        };
        /**
         * @description One page: `next` is what the following call sends as `after`, null at the end.
         *
         *     `more` stands there only where more rows follow than `total` counts.
         */
        Rows_DeskWithdrawal_: {
            list: components["schemas"]["DeskWithdrawal"][];
            total: number;
            next: string | null;
            more?: boolean;
        };
        /**
         * @description One page: `next` is what the following call sends as `after`, null at the end.
         *
         *     `more` stands there only where more rows follow than `total` counts.
         */
        Rows_EventShape_: {
            list: components["schemas"]["EventShape"][];
            total: number;
            next: string | null;
            more?: boolean;
        };
        /**
         * @description One page: `next` is what the following call sends as `after`, null at the end.
         *
         *     `more` stands there only where more rows follow than `total` counts.
         */
        Rows_HeadingShape_: {
            list: components["schemas"]["HeadingShape"][];
            total: number;
            next: string | null;
            more?: boolean;
        };
        /**
         * @description One page: `next` is what the following call sends as `after`, null at the end.
         *
         *     `more` stands there only where more rows follow than `total` counts.
         */
        Rows_PriceRow_: {
            list: components["schemas"]["PriceRow"][];
            total: number;
            next: string | null;
            more?: boolean;
        };
        /**
         * @description One page: `next` is what the following call sends as `after`, null at the end.
         *
         *     `more` stands there only where more rows follow than `total` counts.
         */
        Rows_ResultRow_: {
            list: components["schemas"]["ResultRow"][];
            total: number;
            next: string | null;
            more?: boolean;
        };
        /**
         * @description One page: `next` is what the following call sends as `after`, null at the end.
         *
         *     `more` stands there only where more rows follow than `total` counts.
         */
        Rows_SessionShape_: {
            list: components["schemas"]["SessionShape"][];
            total: number;
            next: string | null;
            more?: boolean;
        };
        /**
         * @description One page: `next` is what the following call sends as `after`, null at the end.
         *
         *     `more` stands there only where more rows follow than `total` counts.
         */
        Rows_StatementLine_: {
            list: components["schemas"]["StatementLine"][];
            total: number;
            next: string | null;
            more?: boolean;
        };
        /**
         * @description One page: `next` is what the following call sends as `after`, null at the end.
         *
         *     `more` stands there only where more rows follow than `total` counts.
         */
        Rows_TeamLine_: {
            list: components["schemas"]["TeamLine"][];
            total: number;
            next: string | null;
            more?: boolean;
        };
        /**
         * @description One page: `next` is what the following call sends as `after`, null at the end.
         *
         *     `more` stands there only where more rows follow than `total` counts.
         */
        Rows_WithdrawalRow_: {
            list: components["schemas"]["WithdrawalRow"][];
            total: number;
            next: string | null;
            more?: boolean;
        };
        /** @description A line between two parts. */
        Rule: {
            /** @enum {unknown} */
            type: "rule";
        };
        SceneAnswer: {
            scene_id: string;
            round: string | null;
            state: ("drawn" | "open" | "sealed" | "settled" | "void") | null;
            opens_at: number | null;
            closes_at: number | null;
            height: number | null;
            game: string;
            /** @description Unix milliseconds */
            server_time: number;
            options: components["schemas"]["Option"][];
            minimum: {
                [key: string]: string;
            };
            maximum: {
                [key: string]: string;
            };
            room: {
                [key: string]: {
                    [key: string]: string;
                };
            };
            my_bets: components["schemas"]["BetRow"][];
            results: components["schemas"]["ResultRow"][];
            /** @description a fraction, not percent */
            return_to_player: string;
            /** @description why no bets are taken: the chain's nodes or clocks disagree */
            betting_closed: ("chain" | "clock") | null;
        };
        SceneBody: {
            scene_id: string;
        };
        /**
         * @description `coin_type` (1 or USDT, 2 or KLS), `amount`, `wallet_id` with `withdraw` alone: the code is right for that one.
         *     `email` with the scene `bind` alone: the code goes to that address, else to the one that is bound.
         */
        SendCodeBody: {
            /** @enum {unknown} */
            scene: "address" | "bind" | "close" | "google" | "login_wallet" | "okx" | "password" | "unbind" | "withdraw";
            coin_type?: (1 | 2 | "KLS" | "USDT") | null;
            amount?: string | number | null;
            wallet_id?: string | null;
            email?: string | null;
        };
        /**
         * @description With one of the two: an image captcha that was read, or the proof of a slide. `device` as for logging in: on a
         *     known one its owner may ask for as many as strangers may.
         */
        SendEmailBody: {
            email: string;
            /** @enum {unknown} */
            scene: "register" | "reset";
            captcha?: components["schemas"]["SolvedCaptcha"] | null;
            proof?: string | null;
            device?: string | null;
        };
        /** @description `last_at` is told to the hour; `current` is the session that asks. */
        SessionShape: {
            id: string;
            /** @description what its browser says it is */
            device: string;
            /** @description an address, or of IPv6 its /64 */
            network: string;
            /** @description Unix milliseconds */
            created_at: number;
            /** @description Unix milliseconds */
            last_at: number;
            current: boolean;
        };
        /** @description What the member has limited for a business day, in USDT; null is no limit. `reminder` is in minutes. */
        SetLimits: {
            stake: string | null;
            loss: string | null;
            topup: string | null;
            reminder: number | null;
        };
        /** @description In USDT for a business day; null ends a limit, what is absent stays as it is. */
        SetLimitsBody: {
            stake?: string | number | null;
            loss?: string | number | null;
            topup?: string | number | null;
            reminder?: number | null;
        };
        /**
         * @description `type` and `decimals` say which values it takes, `bounds` from where to where; `note` says where the number comes
         *     from. `history` is the latest first, at most 20.
         */
        SettingRow: {
            name: string;
            value: string;
            default: string;
            unit: string;
            /** @enum {unknown} */
            type: "amount" | "decimal" | "list" | "switch" | "whole";
            decimals: number;
            bounds: string;
            note: string;
            is_changeable: boolean;
            signers: number;
            history: components["schemas"]["Ordered"][];
        };
        /**
         * @description `signer` has the signer's own limits as it says them itself, none before its first word; `signer_order` is the
         *     last order that it took up, `signer_refused` why it didn't follow it.
         */
        SettingsAnswer: {
            signer: components["schemas"]["SignerLimit"][];
            signer_order: number;
            signer_refused: string | null;
            list: components["schemas"]["SettingRow"][];
        };
        /** @description `qr` is a data URL that shows `otpauth`. */
        ShownAnswer: {
            secret: string;
            otpauth: string;
            qr: string;
        };
        /** @description A neighbour on the way from a bet's leaf to the root. */
        Side: {
            /** @enum {unknown} */
            side: "left" | "right";
            hash: string;
        };
        /** @description `version` is that of the command as it was shown; `signature` is of its `message`, where it has one. */
        SignBody: {
            id: string;
            version: string;
            request_id: string;
            signature?: string | null;
        };
        /** @description In whole USDT. */
        SignerLimit: {
            /** @enum {unknown} */
            limit: "auto_max" | "day" | "hour" | "two_reviewers";
            value: string;
        };
        /**
         * @description Data URLs of a picture of 320 × 160 points and of its piece of 56 × 56, which starts at the left edge; or of
         *     `tones` alone, as a captcha's.
         */
        SlideAnswer: {
            captcha_id: string;
            background: string | null;
            piece: string | null;
            /** @description the piece's upper edge */
            y: number | null;
            tones: string | null;
            /** @description Unix milliseconds */
            expires_at: number;
        };
        /** @description Where a slide's piece belongs. */
        SlidePlace: {
            x: number;
        };
        /**
         * @description `track` is how the piece came to `x`: pairs of its left edge and the milliseconds since the first pair. Of tones
         *     `code` instead of both.
         */
        SlideVerifyBody: {
            captcha_id: string;
            x?: number | null;
            track?: number[][] | null;
            code?: string | null;
        };
        SolvedCaptcha: {
            captcha_id: string;
            code: string;
        };
        /** @description A piece of a line. `href` is http(s) or a page of ours, which begins with a stroke. */
        Span: {
            text: string;
            strong?: boolean;
            emphasis?: boolean;
            code?: boolean;
            href?: string | null;
        };
        /**
         * @description `token` goes into the header Authorization of the console's calls, and into no other. `device` goes with the next
         *     login from here, whose failures then count for themselves.
         */
        StaffLoginAnswer: {
            token: string;
            device: string;
            staff: components["schemas"]["StaffShape"];
        };
        /** @description `code` is the authenticator's six digits: they are always asked; `device` is what the last login here gave. */
        StaffLoginBody: {
            name: string;
            password: string;
            code: string;
            device?: string | null;
        };
        /**
         * @description `public_key` is what signatures on withdrawals are proven with; `account` their own as a member; `ends_at` when
         *     the session ends at the latest.
         */
        StaffShape: {
            id: string;
            name: string;
            roles: ("auditor" | "content" | "owner" | "reviewer" | "support" | "treasurer")[];
            public_key: string | null;
            account: string | null;
            /** @description Unix milliseconds */
            ends_at: number;
        };
        /** @description From `start` to `end`, both in milliseconds and included; `kind` as the rows have it. */
        StatementBody: {
            page?: number;
            size?: number | null;
            page_num?: number | null;
            after?: string;
            start?: number | null;
            end?: number | null;
            kind?: string | null;
        };
        /** @description `title` is the kind in the caller's language, `balance` what was there after it. */
        StatementLine: {
            id: string;
            /** @description Unix milliseconds */
            time: number;
            kind: string;
            title: string;
            amount: string;
            balance: string;
            reference: string;
        };
        /** @description `signature` is of the preview's `message`, where it has one: Ed25519, in hex. */
        SubmitBody: {
            kind: string;
            /** @description of the kind: setting {name, value}; switch {feature, country?, is_on}; correction {asset, from, to, amount, note}, each party {account} or {house}; price {asset, rate}; signer_limit {limit, value}; money_out {}, which stops it */
            body: Record<string, never>;
            reason: string;
            request_id: string;
            signature?: string | null;
        };
        /** @description `country` is empty for all that have no order of their own; the rest is null where nobody ordered anything. */
        SwitchRow: {
            feature: string;
            country: string;
            is_on: boolean;
            at: number | null;
            staff: string | null;
            checker: string | null;
            reason: string | null;
        };
        SwitchesAnswer: {
            list: components["schemas"]["SwitchRow"][];
        };
        /** @description `bands` stands there only below the caller's direct line: each turnover is then the edge below it. */
        TeamAnswer: {
            list: components["schemas"]["TeamLine"][];
            total: number;
            next: string | null;
            more?: boolean;
            bands?: string[];
        };
        /** @description `account` is somebody in the caller's team; absent: the caller. */
        TeamBody: {
            page?: number;
            size?: number | null;
            page_num?: number | null;
            after?: string;
            account?: string | null;
        };
        /** @description Somebody who was invited, with their own figures. Below the caller's direct line `account` is masked. */
        TeamLine: {
            turnover: string;
            team_turnover: string;
            personal_performance: string;
            team_performance: string;
            large_zone: string;
            small_zone: string;
            level: number;
            direct_users: number;
            team_users: number;
            account: string;
            /** @description Unix milliseconds */
            registered_at: number;
        };
        /**
         * @description `price` is what the fee is made with, `selling_price` what KLS for it costs with `buy_fee`.
         *
         *     Up to `auto_max` USDT of value nobody looks at a withdrawal without a risk. `held_until`: until then they are on
         *     hold; `is_stopped`: nothing leaves the house at the moment.
         */
        TermsAnswer: {
            assets: components["schemas"]["Means"][];
            addresses: components["schemas"]["AddressShape"][];
            /** @description USDT for one KLS */
            price: string;
            /** @description USDT for one KLS */
            selling_price: string;
            /** @description Unix milliseconds */
            price_at: number;
            price_source: string;
            auto_max: string;
            held_until: number | null;
            is_stopped: boolean;
        };
        /** @description The oldest message first. */
        Thread: {
            subject: string;
            /** @enum {unknown} */
            state: "answered" | "closed" | "open";
            messages: components["schemas"]["MessageShape"][];
        };
        TicketBody: {
            ticket_id: string;
        };
        /** @description `unread` counts messages of the house; `last` is how the last message begins. */
        TicketShape: {
            id: string;
            subject: string;
            /** @enum {unknown} */
            state: "answered" | "closed" | "open";
            unread: number;
            last: string;
            /** @description Unix milliseconds */
            time: number;
        };
        /**
         * @description A page of tickets, the one that was written in last first; `unread` counts what the house wrote in all of them
         *     and wasn't read yet.
         */
        Tickets: {
            list: components["schemas"]["TicketShape"][];
            total: number;
            next: string | null;
            more?: boolean;
            unread: number;
        };
        /** @description `device` is sent with the next login: what fails on a known device counts for itself. */
        TokenAnswer: {
            token: string;
            device: string;
        };
        TotpBody: {
            secret: string;
        };
        TotpCode: {
            code: string;
        };
        Transaction: {
            hash: string;
        };
        /** @description `google_code` may be a recovery code; `email_code` is from a mail for the scene `unbind`. */
        UnbindBody: {
            /** @description the authenticator's six digits */
            google_code: string;
            password: string;
            /** @description six digits from a mail for this scene */
            email_code: string;
            proof?: string | null;
        };
        UntilAnswer: {
            /** @description Unix milliseconds */
            until: number;
        };
        /** @description `upload_id` is what other calls take; `url` shows the picture for some minutes, null where nobody may see it. */
        UploadAnswer: {
            upload_id: string;
            url: string | null;
        };
        /** @description Comes as the field `envelope` of a form, the picture as its field `file`. */
        UploadBody: {
            image_sha256: string;
            /** @enum {unknown} */
            purpose?: "kyc" | "picture";
        };
        /** @description Comes as the field `envelope` of a form, the picture as its field `file`. */
        UploadImgBody: {
            image_sha256: string;
        };
        /** @description `value` is in USDT. */
        ValuedBalance: {
            asset: string;
            available: string;
            held: string;
            value: string;
        };
        /** @description Newest first; one of this moment last, for another process may not have seen it yet. */
        WireKeys: {
            keys: components["schemas"]["PublicKey"][];
            /** @description Unix seconds */
            server_time: number;
        };
        /**
         * @description `wallet_id` is an entry of the book; with `buy_fee` the KLS that lacks for the fee is bought in the same step.
         *
         *     `most_fee` (KLS) and `most_purchase` (USDT for bought KLS) are what was confirmed: nothing moves where it is more.
         */
        WithdrawBody: {
            /**
             * @description 1 is USDT, 2 is KLS
             * @enum {unknown}
             */
            coin_type: 1 | 2;
            amount: string | number;
            wallet_id: string;
            out_password: string;
            google_code?: string | null;
            email_code?: string | null;
            buy_fee?: boolean;
            request_id: string;
            most_fee?: string | number | null;
            most_purchase?: string | number | null;
        };
        /** @description `needed` people look at it before it is sent; `received` is what arrives. */
        WithdrawalReceipt: {
            id: string;
            /** @description the kind of move */
            kind: string;
            /** @enum {unknown} */
            status: "approved" | "failed" | "on_chain_processing" | "pending_review" | "refused";
            asset: string;
            amount: string;
            fee: string;
            fee_asset: string;
            received: string;
            balance: string;
            /** @description Unix milliseconds */
            at: number;
            /** @description a fraction, not percent */
            fee_rate: string;
            address: string;
            label: string;
            chain: number;
            /** @description USDT for one KLS */
            price: string;
            /** @description Unix milliseconds */
            price_at: number;
            price_source: string;
            risks: components["schemas"]["RiskShape"][];
            needed: number;
        };
        /**
         * @description `reason` says why it was refused or failed, `risks` why `needed` people look at it.
         *
         *     While it is on its way `transaction` and `confirmations` are those of the block that has it now: a reorganisation
         *     takes them back.
         */
        WithdrawalRow: {
            id: string;
            /**
             * @description 1 is USDT, 2 is KLS
             * @enum {unknown}
             */
            coin_type: 1 | 2;
            asset: string;
            amount: string;
            fee: string;
            fee_asset: string;
            address: string;
            label: string;
            chain: number;
            /** @enum {unknown} */
            status: "approved" | "failed" | "on_chain_processing" | "pending_review" | "refused";
            reason: string | null;
            risks: components["schemas"]["RiskShape"][];
            needed: number;
            transaction: string | null;
            explorer: string | null;
            /** @description blocks on top of the deciding one */
            confirmations: number;
            /** @description blocks on top of the deciding one */
            required: number;
            /** @description Unix milliseconds */
            requested_at: number;
            /** @description Unix milliseconds */
            changed_at: number;
        };
        WithdrawalsBody: {
            page?: number;
            size?: number | null;
            page_num?: number | null;
            after?: string;
            coin_type?: (1 | 2) | null;
            status?: ("approved" | "failed" | "on_chain_processing" | "pending_review" | "refused") | null;
        };
        /** @description Null takes the word away. */
        WordBody: {
            word: string | null;
        };
        "kalos.domains.support.api.OpenAnswer": {
            ticket_id: string;
        };
        /**
         * @description `subject`: one line of 80 characters, `text`: up to 2,000, as one line or line by line (no control characters
         *     come over the wire), `images`: up to four uploads of purpose picture.
         */
        "kalos.domains.support.api.OpenBody": {
            subject: string;
            text: string | string[];
            images?: string[];
        };
        /** @description `salt` is base64. */
        "kalos.wire.channels.OpenAnswer": {
            sid: string;
            salt: string;
            /** @description Unix seconds */
            server_time: number;
            /** @description seconds */
            ttl: number;
        };
        /** @description `hello` is base64 of the encapsulated key and the sealed seed. */
        "kalos.wire.channels.OpenBody": {
            v: number;
            kid: string;
            hello: string;
        };
        /** @description Until the password is set anew. */
        "refused.account_frozen": {
            /** @constant */
            code: 423;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "account_frozen";
            };
        };
        /** @description Its member deleted the address from the book after they had asked for the withdrawal. */
        "refused.address_removed": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "address_removed";
            };
        };
        /** @description The address is too new in the book. */
        "refused.address_waiting": {
            /** @constant */
            code: 423;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "address_waiting";
                /** @description Unix milliseconds */
                until: number;
            };
        };
        /** @description `age` is what the feature asks for, in years. */
        "refused.age_required": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "age_required";
                age: number;
            };
        };
        /** @description `field` is what is in use. */
        "refused.already_exists": {
            /** @constant */
            code: 409;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "already_exists";
                /** @enum {unknown} */
                field: "address" | "email";
            };
        };
        /** @description The request can't be decrypted or its signature doesn't fit. */
        "refused.bad_signature": {
            /** @constant */
            code: 460;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "bad_signature";
            };
        };
        /** @description It holds something, is owed something, or something of it still runs or is on its way. */
        "refused.balance_not_zero": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "balance_not_zero";
            };
        };
        /** @description `minimum` is the smallest amount in `asset`. */
        "refused.below_minimum": {
            /** @constant */
            code: 400;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "below_minimum";
                asset: string;
                minimum: string;
            };
        };
        /** @description The scene takes no bets at all now, at least not in this asset. */
        "refused.betting_closed": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "betting_closed";
            };
        };
        /** @description The round is sealed and its block isn't known yet. */
        "refused.block_processing": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "block_processing";
            };
        };
        "refused.busy": {
            /** @constant */
            code: 429;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "busy";
                /** @description seconds */
                retry_after: number;
            };
        };
        /** @description Too old, used already, or never drawn. */
        "refused.captcha_expired": {
            /** @constant */
            code: 410;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "captcha_expired";
            };
        };
        /** @description More than there is to claim. */
        "refused.claim_too_high": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "claim_too_high";
            };
        };
        /** @description Too old, used already, or tried too often. */
        "refused.code_expired": {
            /** @constant */
            code: 410;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "code_expired";
            };
        };
        /** @description The notice of this feature in this version isn't accepted yet. */
        "refused.disclosure_required": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "disclosure_required";
                /** @enum {unknown} */
                feature: "cards" | "consumer_dividend" | "divvy" | "games" | "house_exchange" | "insurance" | "lending" | "mining" | "nft" | "otc" | "pledge" | "racer_quiz" | "referral" | "spot";
                version: number;
            };
        };
        "refused.envelope_required": {
            /** @constant */
            code: 464;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "envelope_required";
            };
        };
        /** @description It is switched off in the member's country. */
        "refused.feature_off": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "feature_off";
            };
        };
        /** @description It isn't for somebody like the caller, whoever else may. */
        "refused.forbidden": {
            /** @constant */
            code: 403;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "forbidden";
            };
        };
        /** @description The transaction doesn't bring this amount of the asset to the member's address, of the member. */
        "refused.hash_mismatch": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "hash_mismatch";
            };
        };
        /** @description The transaction is another member's deposit. */
        "refused.hash_used": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "hash_used";
            };
        };
        /** @description One of the house's own: a member's for top-ups, a wallet that pays or keeps coins, a coin's contract. */
        "refused.house_address": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "house_address";
            };
        };
        /** @description `asset` is the coin that is short. */
        "refused.insufficient_balance": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "insufficient_balance";
                asset: string;
            };
        };
        /** @description No address of this chain, its checksum wrong or left out, or one that coins would be lost at. */
        "refused.invalid_address": {
            /** @constant */
            code: 400;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "invalid_address";
            };
        };
        "refused.invalid_amount": {
            /** @constant */
            code: 400;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "invalid_amount";
                asset: string;
            };
        };
        "refused.invalid_input": {
            /** @constant */
            code: 400;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "invalid_input";
                errors: components["schemas"]["Fault"][];
            };
        };
        "refused.invalid_invite_code": {
            /** @constant */
            code: 400;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "invalid_invite_code";
            };
        };
        "refused.kyc_required": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "kyc_required";
            };
        };
        /** @description `room` is what is still free in `asset`: of a bet by option, else by the asset's code. */
        "refused.limit_reached": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "limit_reached";
                asset: string;
                room: {
                    [key: string]: string;
                };
            };
        };
        /** @description The books don't add up: nothing leaves the house before an operator has looked. */
        "refused.money_out_stopped": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "money_out_stopped";
            };
        };
        "refused.not_found": {
            /** @constant */
            code: 404;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "not_found";
            };
        };
        "refused.out_password_format": {
            /** @constant */
            code: 400;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "out_password_format";
            };
        };
        /** @description Too many wrong ones: until it is set anew. */
        "refused.out_password_locked": {
            /** @constant */
            code: 423;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "out_password_locked";
            };
        };
        "refused.out_password_not_set": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "out_password_not_set";
            };
        };
        /** @description It concerns the caller's own account as a member. */
        "refused.own_account": {
            /** @constant */
            code: 403;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "own_account";
            };
        };
        "refused.password_common": {
            /** @constant */
            code: 400;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "password_common";
            };
        };
        "refused.password_format": {
            /** @constant */
            code: 400;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "password_format";
            };
        };
        "refused.password_mismatch": {
            /** @constant */
            code: 400;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "password_mismatch";
            };
        };
        "refused.password_same": {
            /** @constant */
            code: 400;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "password_same";
            };
        };
        /** @description `left` is what the member's own limit of the day leaves, in USDT. */
        "refused.player_limit": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "player_limit";
                /** @enum {unknown} */
                limit: "loss" | "stake" | "topup";
                left: string;
            };
        };
        /** @description It costs more than was confirmed: `fee` in KLS, of it bought KLS for `purchase` USDT. */
        "refused.price_changed": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "price_changed";
                fee: string;
                purchase: string;
            };
        };
        "refused.price_unavailable": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "price_unavailable";
                asset: string;
            };
        };
        "refused.replay": {
            /** @constant */
            code: 462;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "replay";
            };
        };
        "refused.request_conflict": {
            /** @constant */
            code: 409;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "request_conflict";
            };
        };
        "refused.request_running": {
            /** @constant */
            code: 409;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "request_running";
            };
        };
        /** @description The round takes no more bets. */
        "refused.round_closed": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "round_closed";
            };
        };
        /** @description `need` is the factor that the member has: the authenticator's code or a code by e-mail. */
        "refused.second_factor_required": {
            /** @constant */
            code: 403;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "second_factor_required";
                /** @enum {unknown} */
                need: "email" | "google";
            };
        };
        /** @description What changed about the account's security holds withdrawals until then. */
        "refused.security_hold": {
            /** @constant */
            code: 423;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "security_hold";
                /** @description Unix milliseconds */
                until: number;
            };
        };
        /** @description A break, or a self-exclusion: `until` is its end. */
        "refused.self_excluded": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "self_excluded";
                /** @description Unix milliseconds */
                until: number;
            };
        };
        "refused.session_ended": {
            /** @constant */
            code: 406;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "session_ended";
            };
        };
        /** @description Without a proof, or with one that is too old or was used. */
        "refused.slide_required": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "slide_required";
            };
        };
        "refused.staff_account": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "staff_account";
            };
        };
        /** @description The caller's clock differs. */
        "refused.stale_time": {
            /** @constant */
            code: 461;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "stale_time";
                /** @description Unix seconds */
                server_time: number;
            };
        };
        /** @description No block holds this transaction (yet). */
        "refused.submit_failed": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "submit_failed";
            };
        };
        "refused.too_many": {
            /** @constant */
            code: 429;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "too_many";
                /** @description seconds */
                retry_after: number;
            };
        };
        "refused.unknown_channel": {
            /** @constant */
            code: 463;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "unknown_channel";
            };
        };
        /** @description The picture was read wrongly, tones were, or the piece was put elsewhere or by no hand. */
        "refused.wrong_captcha": {
            /** @constant */
            code: 401;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "wrong_captcha";
            };
        };
        "refused.wrong_code": {
            /** @constant */
            code: 401;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "wrong_code";
            };
        };
        /** @description The same for a name that isn't there and a password that is wrong. */
        "refused.wrong_credentials": {
            /** @constant */
            code: 401;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "wrong_credentials";
            };
        };
        "refused.wrong_out_password": {
            /** @constant */
            code: 403;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "wrong_out_password";
            };
        };
        "refused.wrong_state": {
            /** @constant */
            code: 422;
            msg: string;
            data: {
                /** @enum {unknown} */
                error: "wrong_state";
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AcceptBody = components['schemas']['AcceptBody'];
export type ActOnMemberBody = components['schemas']['ActOnMemberBody'];
export type AddressBody = components['schemas']['AddressBody'];
export type AddressShape = components['schemas']['AddressShape'];
export type AnswerTicketBody = components['schemas']['AnswerTicketBody'];
export type AuditRowShape = components['schemas']['AuditRowShape'];
export type AuthTokenAnswer = components['schemas']['AuthTokenAnswer'];
export type Balance = components['schemas']['Balance'];
export type BannerShape = components['schemas']['BannerShape'];
export type Banners = components['schemas']['Banners'];
export type BetAnswer = components['schemas']['BetAnswer'];
export type BetBody = components['schemas']['BetBody'];
export type BetRow = components['schemas']['BetRow'];
export type BindAuthenticatorBody = components['schemas']['BindAuthenticatorBody'];
export type BindBody = components['schemas']['BindBody'];
export type BlockLogBody = components['schemas']['BlockLogBody'];
export type BlockShape = components['schemas']['BlockShape'];
export type BookAnswer = components['schemas']['BookAnswer'];
export type BookRow = components['schemas']['BookRow'];
export type BreakBody = components['schemas']['BreakBody'];
export type BulletinBody = components['schemas']['BulletinBody'];
export type BulletinShape = components['schemas']['BulletinShape'];
export type Bullets = components['schemas']['Bullets'];
export type CaptchaAnswer = components['schemas']['CaptchaAnswer'];
export type CaptchaBody = components['schemas']['CaptchaBody'];
export type CaptchaCode = components['schemas']['CaptchaCode'];
export type CaptchaWish = components['schemas']['CaptchaWish'];
export type ChainShape = components['schemas']['ChainShape'];
export type Chains = components['schemas']['Chains'];
export type ChangeKeyBody = components['schemas']['ChangeKeyBody'];
export type ChangePasswordBody = components['schemas']['ChangePasswordBody'];
export type ClaimBody = components['schemas']['ClaimBody'];
export type ClaimReceipt = components['schemas']['ClaimReceipt'];
export type ClockBody = components['schemas']['ClockBody'];
export type CloseBody = components['schemas']['CloseBody'];
export type CloseTicketBody = components['schemas']['CloseTicketBody'];
export type Code = components['schemas']['Code'];
export type CommandShape = components['schemas']['CommandShape'];
export type CommandsBody = components['schemas']['CommandsBody'];
export type ContractShape = components['schemas']['ContractShape'];
export type DayTotal = components['schemas']['DayTotal'];
export type DecideDepositBody = components['schemas']['DecideDepositBody'];
export type DecideStrayBody = components['schemas']['DecideStrayBody'];
export type DepositAddress = components['schemas']['DepositAddress'];
export type DepositShape = components['schemas']['DepositShape'];
export type DeskBankroll = components['schemas']['DeskBankroll'];
export type DeskBulletin = components['schemas']['DeskBulletin'];
export type DeskBulletinBody = components['schemas']['DeskBulletinBody'];
export type DeskChain = components['schemas']['DeskChain'];
export type DeskDashboard = components['schemas']['DeskDashboard'];
export type DeskDeposit = components['schemas']['DeskDeposit'];
export type DeskEffect = components['schemas']['DeskEffect'];
export type DeskEvent = components['schemas']['DeskEvent'];
export type DeskJob = components['schemas']['DeskJob'];
export type DeskMember = components['schemas']['DeskMember'];
export type DeskMemberBody = components['schemas']['DeskMemberBody'];
export type DeskMessage = components['schemas']['DeskMessage'];
export type DeskMoneyOut = components['schemas']['DeskMoneyOut'];
export type DeskPayable = components['schemas']['DeskPayable'];
export type DeskPrice = components['schemas']['DeskPrice'];
export type DeskQueue = components['schemas']['DeskQueue'];
export type DeskReserves = components['schemas']['DeskReserves'];
export type DeskResults = components['schemas']['DeskResults'];
export type DeskReturn = components['schemas']['DeskReturn'];
export type DeskReturned = components['schemas']['DeskReturned'];
export type DeskReview = components['schemas']['DeskReview'];
export type DeskRisk = components['schemas']['DeskRisk'];
export type DeskSession = components['schemas']['DeskSession'];
export type DeskStakes = components['schemas']['DeskStakes'];
export type DeskStray = components['schemas']['DeskStray'];
export type DeskStraysBody = components['schemas']['DeskStraysBody'];
export type DeskText = components['schemas']['DeskText'];
export type DeskThread = components['schemas']['DeskThread'];
export type DeskTicket = components['schemas']['DeskTicket'];
export type DeskTicketBody = components['schemas']['DeskTicketBody'];
export type DeskTicketsBody = components['schemas']['DeskTicketsBody'];
export type DeskTurnover = components['schemas']['DeskTurnover'];
export type DeskWithdrawal = components['schemas']['DeskWithdrawal'];
export type DeskWithdrawalsBody = components['schemas']['DeskWithdrawalsBody'];
export type Done = components['schemas']['Done'];
export type EmailBody = components['schemas']['EmailBody'];
export type Empty = components['schemas']['Empty'];
export type EndSessionBody = components['schemas']['EndSessionBody'];
export type EventShape = components['schemas']['EventShape'];
export type ExcludeBody = components['schemas']['ExcludeBody'];
export type FaucetBody = components['schemas']['FaucetBody'];
export type Fault = components['schemas']['Fault'];
export type FinanceAnswer = components['schemas']['FinanceAnswer'];
export type FreezeBody = components['schemas']['FreezeBody'];
export type GameBody = components['schemas']['GameBody'];
export type GameplayAnswer = components['schemas']['GameplayAnswer'];
export type GrantAnswer = components['schemas']['GrantAnswer'];
export type GrantBody = components['schemas']['GrantBody'];
export type HallAnswer = components['schemas']['HallAnswer'];
export type HallGame = components['schemas']['HallGame'];
export type HallScene = components['schemas']['HallScene'];
export type HashBody = components['schemas']['HashBody'];
export type Head = components['schemas']['Head'];
export type HeadAnswer = components['schemas']['HeadAnswer'];
export type Heading = components['schemas']['Heading'];
export type HeadingShape = components['schemas']['HeadingShape'];
export type Inbox = components['schemas']['Inbox'];
export type InboxBody = components['schemas']['InboxBody'];
export type IncomeAnswer = components['schemas']['IncomeAnswer'];
export type IncomeSums = components['schemas']['IncomeSums'];
export type InfoAnswer = components['schemas']['InfoAnswer'];
export type Invited = components['schemas']['Invited'];
export type InvitedList = components['schemas']['InvitedList'];
export type LimitsAnswer = components['schemas']['LimitsAnswer'];
export type ListBody = components['schemas']['ListBody'];
export type LoginBody = components['schemas']['LoginBody'];
export type LoginWallet = components['schemas']['LoginWallet'];
export type LoginWalletBody = components['schemas']['LoginWalletBody'];
export type MailShape = components['schemas']['MailShape'];
export type Means = components['schemas']['Means'];
export type MessageShape = components['schemas']['MessageShape'];
export type MineBody = components['schemas']['MineBody'];
export type NeedAnswer = components['schemas']['NeedAnswer'];
export type NewAuthenticatorAnswer = components['schemas']['NewAuthenticatorAnswer'];
export type NewAuthenticatorBody = components['schemas']['NewAuthenticatorBody'];
export type NewestBlock = components['schemas']['NewestBlock'];
export type NonceAnswer = components['schemas']['NonceAnswer'];
export type NonceBody = components['schemas']['NonceBody'];
export type NoticeRow = components['schemas']['NoticeRow'];
export type NoticesAnswer = components['schemas']['NoticesAnswer'];
export type Now = components['schemas']['Now'];
export type OpenMemberBody = components['schemas']['OpenMemberBody'];
export type Option = components['schemas']['Option'];
export type Ordered = components['schemas']['Ordered'];
export type OrdersBody = components['schemas']['OrdersBody'];
export type OutPasswordBody = components['schemas']['OutPasswordBody'];
export type OwnLimit = components['schemas']['OwnLimit'];
export type Paged = components['schemas']['Paged'];
export type Paragraph = components['schemas']['Paragraph'];
export type PasswordBody = components['schemas']['PasswordBody'];
export type PictureBlock = components['schemas']['PictureBlock'];
export type PictureShape = components['schemas']['PictureShape'];
export type PreviewAnswer = components['schemas']['PreviewAnswer'];
export type PreviewBody = components['schemas']['PreviewBody'];
export type PriceRow = components['schemas']['PriceRow'];
export type PriceSource = components['schemas']['PriceSource'];
export type ProofAnswer = components['schemas']['ProofAnswer'];
export type PublicKey = components['schemas']['PublicKey'];
export type PublishBulletinBody = components['schemas']['PublishBulletinBody'];
export type Quote = components['schemas']['Quote'];
export type RecoveryAnswer = components['schemas']['RecoveryAnswer'];
export type RefuseBody = components['schemas']['RefuseBody'];
export type RegisterBody = components['schemas']['RegisterBody'];
export type RemovalBody = components['schemas']['RemovalBody'];
export type ReorgBody = components['schemas']['ReorgBody'];
export type ReplyBody = components['schemas']['ReplyBody'];
export type ResetBody = components['schemas']['ResetBody'];
export type ResultRow = components['schemas']['ResultRow'];
export type RetractBulletinBody = components['schemas']['RetractBulletinBody'];
export type ReviewWithdrawalBody = components['schemas']['ReviewWithdrawalBody'];
export type RiskShape = components['schemas']['RiskShape'];
export type RoundBody = components['schemas']['RoundBody'];
export type RoundProof = components['schemas']['RoundProof'];
export type RowsAuditRowShape = components['schemas']['Rows_AuditRowShape_'];
export type RowsBetRow = components['schemas']['Rows_BetRow_'];
export type RowsCommandShape = components['schemas']['Rows_CommandShape_'];
export type RowsDepositShape = components['schemas']['Rows_DepositShape_'];
export type RowsDeskBulletin = components['schemas']['Rows_DeskBulletin_'];
export type RowsDeskDeposit = components['schemas']['Rows_DeskDeposit_'];
export type RowsDeskStray = components['schemas']['Rows_DeskStray_'];
export type RowsDeskTicket = components['schemas']['Rows_DeskTicket_'];
export type RowsDeskWithdrawal = components['schemas']['Rows_DeskWithdrawal_'];
export type RowsEventShape = components['schemas']['Rows_EventShape_'];
export type RowsHeadingShape = components['schemas']['Rows_HeadingShape_'];
export type RowsPriceRow = components['schemas']['Rows_PriceRow_'];
export type RowsResultRow = components['schemas']['Rows_ResultRow_'];
export type RowsSessionShape = components['schemas']['Rows_SessionShape_'];
export type RowsStatementLine = components['schemas']['Rows_StatementLine_'];
export type RowsTeamLine = components['schemas']['Rows_TeamLine_'];
export type RowsWithdrawalRow = components['schemas']['Rows_WithdrawalRow_'];
export type Rule = components['schemas']['Rule'];
export type SceneAnswer = components['schemas']['SceneAnswer'];
export type SceneBody = components['schemas']['SceneBody'];
export type SendCodeBody = components['schemas']['SendCodeBody'];
export type SendEmailBody = components['schemas']['SendEmailBody'];
export type SessionShape = components['schemas']['SessionShape'];
export type SetLimits = components['schemas']['SetLimits'];
export type SetLimitsBody = components['schemas']['SetLimitsBody'];
export type SettingRow = components['schemas']['SettingRow'];
export type SettingsAnswer = components['schemas']['SettingsAnswer'];
export type ShownAnswer = components['schemas']['ShownAnswer'];
export type Side = components['schemas']['Side'];
export type SignBody = components['schemas']['SignBody'];
export type SignerLimit = components['schemas']['SignerLimit'];
export type SlideAnswer = components['schemas']['SlideAnswer'];
export type SlidePlace = components['schemas']['SlidePlace'];
export type SlideVerifyBody = components['schemas']['SlideVerifyBody'];
export type SolvedCaptcha = components['schemas']['SolvedCaptcha'];
export type Span = components['schemas']['Span'];
export type StaffLoginAnswer = components['schemas']['StaffLoginAnswer'];
export type StaffLoginBody = components['schemas']['StaffLoginBody'];
export type StaffShape = components['schemas']['StaffShape'];
export type StatementBody = components['schemas']['StatementBody'];
export type StatementLine = components['schemas']['StatementLine'];
export type SubmitBody = components['schemas']['SubmitBody'];
export type SwitchRow = components['schemas']['SwitchRow'];
export type SwitchesAnswer = components['schemas']['SwitchesAnswer'];
export type TeamAnswer = components['schemas']['TeamAnswer'];
export type TeamBody = components['schemas']['TeamBody'];
export type TeamLine = components['schemas']['TeamLine'];
export type TermsAnswer = components['schemas']['TermsAnswer'];
export type Thread = components['schemas']['Thread'];
export type TicketBody = components['schemas']['TicketBody'];
export type TicketShape = components['schemas']['TicketShape'];
export type Tickets = components['schemas']['Tickets'];
export type TokenAnswer = components['schemas']['TokenAnswer'];
export type TotpBody = components['schemas']['TotpBody'];
export type TotpCode = components['schemas']['TotpCode'];
export type Transaction = components['schemas']['Transaction'];
export type UnbindBody = components['schemas']['UnbindBody'];
export type UntilAnswer = components['schemas']['UntilAnswer'];
export type UploadAnswer = components['schemas']['UploadAnswer'];
export type UploadBody = components['schemas']['UploadBody'];
export type UploadImgBody = components['schemas']['UploadImgBody'];
export type ValuedBalance = components['schemas']['ValuedBalance'];
export type WireKeys = components['schemas']['WireKeys'];
export type WithdrawBody = components['schemas']['WithdrawBody'];
export type WithdrawalReceipt = components['schemas']['WithdrawalReceipt'];
export type WithdrawalRow = components['schemas']['WithdrawalRow'];
export type WithdrawalsBody = components['schemas']['WithdrawalsBody'];
export type WordBody = components['schemas']['WordBody'];
export type KalosDomainsSupportApiOpenAnswer = components['schemas']['kalos.domains.support.api.OpenAnswer'];
export type KalosDomainsSupportApiOpenBody = components['schemas']['kalos.domains.support.api.OpenBody'];
export type KalosWireChannelsOpenAnswer = components['schemas']['kalos.wire.channels.OpenAnswer'];
export type KalosWireChannelsOpenBody = components['schemas']['kalos.wire.channels.OpenBody'];
export type RefusedAccountFrozen = components['schemas']['refused.account_frozen'];
export type RefusedAddressRemoved = components['schemas']['refused.address_removed'];
export type RefusedAddressWaiting = components['schemas']['refused.address_waiting'];
export type RefusedAgeRequired = components['schemas']['refused.age_required'];
export type RefusedAlreadyExists = components['schemas']['refused.already_exists'];
export type RefusedBadSignature = components['schemas']['refused.bad_signature'];
export type RefusedBalanceNotZero = components['schemas']['refused.balance_not_zero'];
export type RefusedBelowMinimum = components['schemas']['refused.below_minimum'];
export type RefusedBettingClosed = components['schemas']['refused.betting_closed'];
export type RefusedBlockProcessing = components['schemas']['refused.block_processing'];
export type RefusedBusy = components['schemas']['refused.busy'];
export type RefusedCaptchaExpired = components['schemas']['refused.captcha_expired'];
export type RefusedClaimTooHigh = components['schemas']['refused.claim_too_high'];
export type RefusedCodeExpired = components['schemas']['refused.code_expired'];
export type RefusedDisclosureRequired = components['schemas']['refused.disclosure_required'];
export type RefusedEnvelopeRequired = components['schemas']['refused.envelope_required'];
export type RefusedFeatureOff = components['schemas']['refused.feature_off'];
export type RefusedForbidden = components['schemas']['refused.forbidden'];
export type RefusedHashMismatch = components['schemas']['refused.hash_mismatch'];
export type RefusedHashUsed = components['schemas']['refused.hash_used'];
export type RefusedHouseAddress = components['schemas']['refused.house_address'];
export type RefusedInsufficientBalance = components['schemas']['refused.insufficient_balance'];
export type RefusedInvalidAddress = components['schemas']['refused.invalid_address'];
export type RefusedInvalidAmount = components['schemas']['refused.invalid_amount'];
export type RefusedInvalidInput = components['schemas']['refused.invalid_input'];
export type RefusedInvalidInviteCode = components['schemas']['refused.invalid_invite_code'];
export type RefusedKycRequired = components['schemas']['refused.kyc_required'];
export type RefusedLimitReached = components['schemas']['refused.limit_reached'];
export type RefusedMoneyOutStopped = components['schemas']['refused.money_out_stopped'];
export type RefusedNotFound = components['schemas']['refused.not_found'];
export type RefusedOutPasswordFormat = components['schemas']['refused.out_password_format'];
export type RefusedOutPasswordLocked = components['schemas']['refused.out_password_locked'];
export type RefusedOutPasswordNotSet = components['schemas']['refused.out_password_not_set'];
export type RefusedOwnAccount = components['schemas']['refused.own_account'];
export type RefusedPasswordCommon = components['schemas']['refused.password_common'];
export type RefusedPasswordFormat = components['schemas']['refused.password_format'];
export type RefusedPasswordMismatch = components['schemas']['refused.password_mismatch'];
export type RefusedPasswordSame = components['schemas']['refused.password_same'];
export type RefusedPlayerLimit = components['schemas']['refused.player_limit'];
export type RefusedPriceChanged = components['schemas']['refused.price_changed'];
export type RefusedPriceUnavailable = components['schemas']['refused.price_unavailable'];
export type RefusedReplay = components['schemas']['refused.replay'];
export type RefusedRequestConflict = components['schemas']['refused.request_conflict'];
export type RefusedRequestRunning = components['schemas']['refused.request_running'];
export type RefusedRoundClosed = components['schemas']['refused.round_closed'];
export type RefusedSecondFactorRequired = components['schemas']['refused.second_factor_required'];
export type RefusedSecurityHold = components['schemas']['refused.security_hold'];
export type RefusedSelfExcluded = components['schemas']['refused.self_excluded'];
export type RefusedSessionEnded = components['schemas']['refused.session_ended'];
export type RefusedSlideRequired = components['schemas']['refused.slide_required'];
export type RefusedStaffAccount = components['schemas']['refused.staff_account'];
export type RefusedStaleTime = components['schemas']['refused.stale_time'];
export type RefusedSubmitFailed = components['schemas']['refused.submit_failed'];
export type RefusedTooMany = components['schemas']['refused.too_many'];
export type RefusedUnknownChannel = components['schemas']['refused.unknown_channel'];
export type RefusedWrongCaptcha = components['schemas']['refused.wrong_captcha'];
export type RefusedWrongCode = components['schemas']['refused.wrong_code'];
export type RefusedWrongCredentials = components['schemas']['refused.wrong_credentials'];
export type RefusedWrongOutPassword = components['schemas']['refused.wrong_out_password'];
export type RefusedWrongState = components['schemas']['refused.wrong_state'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
